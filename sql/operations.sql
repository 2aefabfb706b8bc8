-- The operation that the changes of a transaction are recorded under.

-- name: begin_operation
-- Name the operation that the changes to come belong to, who does it, and why.
select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
  set_config('keepsake.reason', %(reason)s, true)

-- name: end_operation
-- The changes to come belong to no operation.
select set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
  set_config('keepsake.reason', '', true)
