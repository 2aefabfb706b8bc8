-- The queries of archive-old-memories, one batch each. Locked rows are skipped and left for the next run.

-- name: expire
-- Expires the memories whose expires_at has passed.
update public.user_memory as m set status = 'expired', updated_at = %(now)s
from (
  select d.user_id, d.id from public.user_memory as d
  where d.status = 'active' and d.expires_at <= %(now)s
  order by d.expires_at limit %(batch)s for update skip locked
) as due
where m.user_id = due.user_id and m.id = due.id
returning m.id

-- name: forget_by_retention
-- Forgets memories older than their person's retention of that type; pinned memories stay, and what the person edited,
-- confirmed or restored stays as long again.
with people as (
  select s.user_id, s.retention_days from public.user_memory_settings as s
  where s.retention_days <> '{}' and s.user_id > %(after)s order by s.user_id limit %(people)s
),
due as (
  select d.user_id, d.id from people as s
  join public.user_memory as d on d.user_id = s.user_id
  where s.retention_days ? d.memory_type::text and d.status <> 'deleted' and not d.pinned
    and coalesce(d.restated_at, d.valid_from) < %(now)s::timestamptz
      - make_interval(days => (s.retention_days ->> d.memory_type::text)::numeric::int)  -- JSON may write 30 as 30.0
    and not exists (
      select from keepsake.changes as c
      where c.user_id = d.user_id and c.table_name = 'user_memory' and c.row_id = d.id and c.actor = 'user' and c.action = 'update'
        and c.created_at >= %(now)s::timestamptz - make_interval(days => (s.retention_days ->> d.memory_type::text)::numeric::int)
    )
  limit %(batch)s for update of d skip locked
),
changed as (
  update public.user_memory as m set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
  from due where m.user_id = due.user_id and m.id = due.id returning m.id
)
select (select count(*) from changed) as touched, (select count(*) from people) as seen,
  (select user_id from people order by user_id desc limit 1) as last

-- name: archive_unused
-- Archives memories of two years ago that were not used for half a year, unless the person set long_term.
with old as (
  select d.user_id, d.id, d.created_at from public.user_memory as d
  where d.status = 'active' and not d.pinned and d.created_at < %(made_before)s
    and (d.created_at, d.id) > (%(after_made)s, %(after)s)
  order by d.created_at, d.id limit %(batch)s
),
due as (
  select d.user_id, d.id from old
  join public.user_memory as d on d.user_id = old.user_id and d.id = old.id
  left join public.user_memory_settings as s on s.user_id = d.user_id
  where d.status = 'active' and not d.pinned and not coalesce(s.long_term, false)
    and coalesce(d.last_referenced_at, d.created_at) < %(used_before)s
  for update of d skip locked
),
changed as (
  update public.user_memory as m set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
  from due where m.user_id = due.user_id and m.id = due.id returning m.id
)
select (select count(*) from changed) as touched, (select count(*) from old) as seen,
  (select created_at from old order by created_at desc, id desc limit 1) as last_made,
  (select id from old order by created_at desc, id desc limit 1) as last

-- name: over_cap
-- The next profiles, with their number of active memories over the cap.
select p.user_id, p.id as profile_id, (
  select greatest(count(*) - %(cap)s, 0) from (
    select from public.user_memory as m where m.user_id = p.user_id and m.profile_id = p.id and m.status = 'active'
  ) as active
) as over
from keepsake_chats.user_profile_list as p
where (p.user_id, p.id) > (%(after_user)s, %(after)s)
order by p.user_id, p.id limit %(people)s

-- name: enable_hard_delete
-- Hard delete: from here on in this transaction a delete is not logged, and deletes the audit log of its row.
select set_config('keepsake.hard_delete', 'on', true)

-- name: delete_forgotten
-- Removes forgotten memories that can no longer be restored (hard delete).
delete from public.user_memory as m
using (
  select d.user_id, d.id from public.user_memory as d
  where d.status = 'deleted' and d.deleted_at < %(deleted_before)s
  order by d.deleted_at limit %(batch)s for update skip locked
) as due
where m.user_id = due.user_id and m.id = due.id
returning m.id

-- name: drop_deliveries
-- Removes webhook deliveries too old to be repeated.
delete from keepsake.webhook_deliveries as w
using (
  select o.webhook_id from keepsake.webhook_deliveries as o
  where o.received_at < %(before)s
  order by o.received_at limit %(batch)s for update skip locked
) as old
where w.webhook_id = old.webhook_id
returning w.webhook_id

-- name: drop_counters
-- Removes rates of past periods; running numbers have no period and stay.
delete from keepsake.counters as c
using (
  select o.user_id, o.name, o.period_start from keepsake.counters as o
  where o.period_start > '-infinity' and o.period_start < %(before)s
  order by o.period_start limit %(batch)s for update skip locked
) as old
where c.user_id = old.user_id and c.name = old.name and c.period_start = old.period_start
returning c.user_id

-- name: clear_images
-- Clears the row images of changes too old to be undone; actor, reason and date stay in the audit log.
update keepsake.changes as c set before = null, after = null
from (
  select o.user_id, o.operation_id, o.seq from keepsake.changes as o
  where o.created_at < %(before)s and (o.before is not null or o.after is not null)
  order by o.created_at limit %(batch)s for update skip locked
) as old
where c.user_id = old.user_id and c.operation_id = old.operation_id and c.seq = old.seq
returning c.seq

-- name: drop_changes
-- Removes entries of the audit log that are too old.
delete from keepsake.changes as c
using (
  select o.user_id, o.operation_id, o.seq from keepsake.changes as o
  where o.created_at < %(before)s
  order by o.created_at limit %(batch)s for update skip locked
) as old
where c.user_id = old.user_id and c.operation_id = old.operation_id and c.seq = old.seq
returning c.seq

-- name: shrink_extractions
-- Clears what old extractions count. That the turn is finished stays, so it is never processed again; so do its results,
-- and that one of them was erased, by which summaries leave out the turn of a memory that is gone.
update keepsake.extractions as e
set dropped = case when e.dropped ? 'erased' then jsonb_build_object('erased', e.dropped -> 'erased') else '{}' end
from (
  select o.user_id, o.id from keepsake.extractions as o
  where o.finished_at < %(before)s and o.dropped - 'erased' <> '{}'::jsonb
  order by o.finished_at limit %(batch)s for update skip locked
) as old
where e.user_id = old.user_id and e.id = old.id
returning e.id

-- name: drop_injections
-- Removes records of contexts too old to be measured.
delete from keepsake.injections as i
using (
  select o.user_id, o.id from keepsake.injections as o
  where o.created_at < %(before)s
  order by o.created_at limit %(batch)s for update skip locked
) as old
where i.user_id = old.user_id and i.id = old.id
returning i.id

-- name: drop_commands
-- Removes records of chat commands whose message is too old to be run again.
delete from keepsake.commands as c
using (
  select o.user_id, o.id from keepsake.commands as o
  where o.created_at < %(before)s
  order by o.created_at limit %(batch)s for update skip locked
) as old
where c.user_id = old.user_id and c.id = old.id
returning c.id
