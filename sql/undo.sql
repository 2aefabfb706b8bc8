-- The undo of an operation in steps: each statement reverts a bounded number of changes.

-- name: changed_tables
-- The tables that the operation changed, with the number of changes.
select c.table_name, count(*) as changes from keepsake.changes as c
where c.operation_id = %(operation_id)s and c.user_id = %(user_id)s
group by c.table_name order by c.table_name

-- name: begin_undo
-- Checks that the operation can be undone, takes the merge locks, and begins the operation that undoes it.
select keepsake.begin_undo(%(user_id)s, %(operation_id)s, 'user')

-- name: lock_rows_to_undo
-- Locks rows that the operation changed, by id; returns the last id, or null when there are no more.
select keepsake.lock_rows_to_undo(%(user_id)s, %(operation_id)s, %(table_name)s, %(above)s, %(max_rows)s)

-- name: undo_step
-- Reverts the newest changes below a position; returns the position it reached and how many, or null when all is done.
select keepsake.undo_step(%(user_id)s, %(operation_id)s, %(below)s, %(max_rows)s)

-- name: end_operation
-- Ends the operation that undoes.
select keepsake.end_operation(%(undo_id)s, %(affected)s)
