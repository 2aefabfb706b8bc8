-- What the audit log notes with every change that the statement makes: its operation, by whom, the reason, and which
-- mechanism found what was said.
with operation as materialized (
  select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
    set_config('keepsake.reason', %(reason)s, true), set_config('keepsake.why', %(why)s, true)
)
