-- What an endpoint takes in a request for a model.

-- name: recent_profile
-- What was learnt of a model in the last day, and how many seconds ago.
select p.refused, p.schema_mode, extract(epoch from %(now)s::timestamptz - p.learnt_at)::float8 as age
from keepsake.model_profiles as p
where p.model = %(model)s and p.learnt_at > %(now)s::timestamptz - interval '1 day'

-- name: save_profile
-- Keeps what was learnt of a model.
insert into keepsake.model_profiles as p (model, refused, schema_mode, learnt_at)
values (%(model)s, %(refused)s, %(schema_mode)s, %(now)s)
on conflict (model) do update
  set refused = excluded.refused, schema_mode = excluded.schema_mode, learnt_at = excluded.learnt_at
