-- What archive-old-memories does, a batch at a time. Rows somebody else holds are left for the next run.

-- name: expire
-- Memories whose time is over.
update public.user_memory as m set status = 'expired', updated_at = %(now)s
from (
  select d.id from public.user_memory as d
  where d.status = 'active' and d.expires_at <= %(now)s
  order by d.expires_at limit %(batch)s for update skip locked
) as due
where m.id = due.id
returning m.id

-- name: forget_by_retention
-- Memories older than their person wants to keep that type; what is pinned stays.
update public.user_memory as m set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
from (
  select d.id from public.user_memory_settings as s
  join public.user_memory as d on d.user_id = s.user_id
  where s.retention_days <> '{}' and s.retention_days ? d.memory_type::text
    and d.status <> 'deleted' and not d.pinned
    and d.valid_from < %(now)s::timestamptz
      - make_interval(days => (s.retention_days ->> d.memory_type::text)::numeric::int)  -- JSON may write 30 as 30.0
  limit %(batch)s for update of d skip locked
) as due
where m.id = due.id
returning m.id

-- name: archive_unused
-- Memories made two years ago that nobody needed for half a year, unless the person keeps them long.
update public.user_memory as m set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
from (
  select d.id from public.user_memory as d
  left join public.user_memory_settings as s on s.user_id = d.user_id
  where d.status = 'active' and not d.pinned and d.created_at < %(made_before)s
    and coalesce(d.last_referenced_at, d.created_at) < %(used_before)s and not coalesce(s.long_term, false)
  order by d.created_at limit %(batch)s for update of d skip locked
) as due
where m.id = due.id
returning m.id

-- name: over_cap
-- Profiles that hold more active memories than they may.
select m.user_id, m.profile_id from public.user_memory as m
where m.status = 'active'
group by m.user_id, m.profile_id
having count(*) > %(cap)s
limit %(batch)s

-- name: end_for_good
-- From here on in this transaction a deletion leaves no trace in the record of changes, and takes what is there along.
select set_config('keepsake.final', 'on', true)

-- name: delete_forgotten
-- Memories forgotten longer ago than they can be brought back.
delete from public.user_memory as m
using (
  select d.id from public.user_memory as d
  where d.status = 'deleted' and d.deleted_at < %(deleted_before)s
  order by d.deleted_at limit %(batch)s for update skip locked
) as due
where m.id = due.id
returning m.id

-- name: drop_deliveries
-- Deliveries too old to be repeated.
delete from keepsake.webhooks_seen as w
using (
  select o.webhook_id from keepsake.webhooks_seen as o
  where o.received_at < %(received_before)s
  order by o.received_at limit %(batch)s for update skip locked
) as old
where w.webhook_id = old.webhook_id
returning w.webhook_id

-- name: drop_counters
-- Rates of minutes long past; running numbers have no period and stay.
delete from keepsake.counters as c
using (
  select o.user_id, o.name, o.period_start from keepsake.counters as o
  where o.period_start > '-infinity' and o.period_start < %(period_before)s
  order by o.period_start limit %(batch)s for update skip locked
) as old
where c.user_id = old.user_id and c.name = old.name and c.period_start = old.period_start
returning c.user_id

-- name: drop_images
-- What changes too old to be undone had changed: that it was done, by whom and why stays, without a word of any memory.
update keepsake.changes as c set before = null, after = null
from (
  select o.operation_id, o.seq from keepsake.changes as o
  where o.created_at < %(done_before)s and (o.before is not null or o.after is not null)
  order by o.created_at limit %(batch)s for update skip locked
) as old
where c.operation_id = old.operation_id and c.seq = old.seq
returning c.seq
