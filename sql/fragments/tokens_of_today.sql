-- The tokens of today that a person has cost, and those that all people have.
coalesce((
  select t.value from keepsake.counters as t
  where t.user_id = %(user_id)s and t.name = 'model_tokens' and t.period_start = %(day_start)s::timestamptz
), 0)::bigint as tokens_of_person,
coalesce((
  select sum(d.input_tokens + d.output_tokens) from keepsake.model_days as d
  where d.day = %(day)s::date and d.purpose = 'chat'
), 0)::bigint as tokens_of_all
