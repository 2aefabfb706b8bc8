-- The operation that the changes of a transaction are recorded under.

-- name: begin_operation
-- Begins an operation: the changes of this transaction belong to it, with its actor and reason (audit log).
select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
  set_config('keepsake.reason', %(reason)s, true)

-- name: end_operation
-- Ends the operation: later changes of this transaction do not belong to it.
select set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
  set_config('keepsake.reason', '', true)
