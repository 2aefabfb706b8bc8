-- What each person's chats make per day (UTC): messages looked at and memories made of them, contexts and tokens. It is a
-- view of the records that exist, so it costs nothing to keep, and an erasure removes a person from it.

create view keepsake.volume_by_day with (security_invoker = true) as
select v.user_id, v.day, sum(v.turns)::bigint as turns, sum(v.extracted)::bigint as extracted,
  sum(v.memories)::bigint as memories, sum(v.contexts)::bigint as contexts, sum(v.tokens)::bigint as tokens
from (
  select e.user_id, (e.finished_at at time zone 'UTC')::date as day, 1 as turns, (e.status = 'extracted')::integer as extracted,
    0 as memories, 0 as contexts, 0 as tokens
  from keepsake.extractions as e where e.finished_at is not null and e.user_id is not null
  union all
  select m.user_id, (m.created_at at time zone 'UTC')::date, 0, 0, 1, 0, 0 from public.user_memory as m
  union all
  select i.user_id, (i.created_at at time zone 'UTC')::date, 0, 0, 0, 1, coalesce(i.token_count, 0)
  from keepsake.injections as i
) as v
group by v.user_id, v.day;
comment on view keepsake.volume_by_day is 'Messages, memories and contexts by person and day.';
revoke all on keepsake.volume_by_day from public, anon, authenticated;
grant select on keepsake.volume_by_day to service_role;
