-- What always holds of the data, whatever was said, changed, undone, archived or erased, and in whatever order. No rows:
-- all is well. Ids only, never a word of anybody's.
-- Run as the owner: psql "$MIGRATION_DATABASE_URL" -f sql/checks/invariants.sql

with recursive chains as (
  select m.user_id, m.id as first, m.supersedes_id as next
  from public.user_memory as m where m.supersedes_id is not null
  union
  select c.user_id, c.first, m.supersedes_id
  from chains as c join public.user_memory as m on m.user_id = c.user_id and m.id = c.next
  where m.supersedes_id is not null
), newest_changes as (
  select distinct on (c.user_id, c.row_id) c.user_id, c.row_id, c.action, c.after, c.actor, c.reason
  from keepsake.changes as c where c.table_name = 'user_memory'
  order by c.user_id, c.row_id, c.seq desc
), operations as (
  select c.operation_id, c.user_id, count(*) as changes, count(c.undone_at) as undone, min(c.created_at) as begun
  from keepsake.changes as c group by 1, 2
), entity_names as (
  select distinct m.user_id, m.profile_id, r.ref
  from public.user_memory as m cross join lateral unnest(m.entity_refs) as r (ref)
), erased as (
  select s.user_id, s.erased_before, f.id as profile_id
  from public.user_memory_settings as s
  left join keepsake_chats.user_profile_list as f on f.user_id = s.user_id and f.is_primary
  where s.erased_before is not null
)

-- Two statements about one thing cannot both hold.
select 'two_active_values' as check_name, m.user_id::text as object, format('%s memories of one key', count(*)) as detail
from public.user_memory as m where m.status = 'active' and m.memory_key is not null
group by m.user_id, m.profile_id, m.persona_id, m.memory_key having count(*) > 1

-- History goes back, and ends.
union all
select 'history_in_a_circle', c.first::text, 'replaces itself, by way of others'
from chains as c where c.next = c.first

-- What was replaced is history, and was remembered for the same profile.
union all
select 'replaced_and_active', o.id::text, format('%s, which is active too, replaces it', m.id)
from public.user_memory as m join public.user_memory as o on o.user_id = m.user_id and o.id = m.supersedes_id
where m.status = 'active' and o.status = 'active'
union all
select 'replaced_by_another', m.id::text, 'replaces a memory of somebody else, or of another profile'
from public.user_memory as m join public.user_memory as o on o.id = m.supersedes_id
where (o.user_id, o.profile_id) is distinct from (m.user_id, m.profile_id)

-- A state has its date, and what holds has no end.
union all
select 'state_without_its_date', m.id::text, format('is %s', m.status)
from public.user_memory as m
where (m.status = 'deleted') <> (m.deleted_at is not null)
  or (m.status = 'archived' and m.archived_at is null)
  or (m.status = 'superseded' and m.valid_to is null)
  or (m.status = 'active' and (m.valid_to is not null or m.archived_at is not null))
  or m.is_active <> (m.status = 'active')
union all
select 'ended_before_it_began', m.id::text, 'valid_to lies before valid_from'
from public.user_memory as m where m.valid_to < m.valid_from
union all
select 'restated_before_it_was_said', m.id::text, 'restated_at lies before valid_from'
from public.user_memory as m where m.restated_at < m.valid_from

-- What is doubted was said before, and was not confirmed since: a confirmation clears the doubt.
union all
select 'doubted_before_it_was_said', m.id::text, 'doubted_at lies before valid_from'
from public.user_memory as m where m.doubted_at < m.valid_from
union all
select 'doubted_and_confirmed', m.id::text, 'the newest change by its person confirms it'
from newest_changes as n join public.user_memory as m on m.user_id = n.user_id and m.id = n.row_id
where n.reason = 'confirm' and n.actor = 'user' and m.doubted_at is not null

-- The index holds the words of what is active, and of nothing else.
union all
select 'active_without_words', m.id::text, 'is not in the index, or under another profile'
from public.user_memory as m
where m.status = 'active' and not exists (
  select from keepsake.memory_index as i
  where i.user_id = m.user_id and i.memory_id = m.id and i.profile_id = m.profile_id
)
union all
select 'words_without_memory', i.memory_id::text, 'is in the index and not active'
from keepsake.memory_index as i
where not exists (
  select from public.user_memory as m where m.user_id = i.user_id and m.id = i.memory_id and m.status = 'active'
)

-- A number is given out once.
union all
select 'number_not_counted', m.user_id::text, format('M-%s is above the counter', max(m.memory_no))
from public.user_memory as m group by m.user_id
having max(m.memory_no) > coalesce((
  select c.value from keepsake.counters as c
  where c.user_id = m.user_id and c.name = 'memory_no' and c.period_start = '-infinity'), 0)

-- An extraction tells of its own person's memories, as something that can be done to one.
union all
select 'result_of_somebody_else', e.id::text, format('names %s', r.result ->> 'memory_id')
from keepsake.extractions as e cross join lateral jsonb_array_elements(e.results) as r (result)
left join public.user_memory as m on m.id = (r.result ->> 'memory_id')::uuid
where r.result ->> 'action' not in ('created', 'reinforced', 'superseded', 'ended', 'doubted')
  or (m.id is not null and m.user_id is distinct from e.user_id)
union all
select 'unfinished_with_results', e.id::text, format('is %s', e.status)
from keepsake.extractions as e where e.results <> '[]' and e.status <> 'extracted'

-- An operation is undone as one, and can be while its time lasts: each change tells of both sides.
union all
select 'half_undone', o.operation_id::text, format('%s of %s changes are undone', o.undone, o.changes)
from operations as o where o.undone not in (0, o.changes)
union all
select 'change_without_a_side', c.operation_id::text, format('an %s of %s', c.action, c.row_id)
from keepsake.changes as c
where c.undone_at is null and c.created_at > now() - interval '30 days'
  and ((c.action <> 'insert' and c.before is null) or (c.action <> 'delete' and c.after is null))
union all
select 'change_of_somebody_else', c.operation_id::text, format('its image is not of %s', c.row_id)
from keepsake.changes as c cross join lateral (values (c.before), (c.after)) as s (image)
where s.image is not null and (s.image ->> 'id', s.image ->> 'user_id') is distinct from (c.row_id::text, c.user_id::text)

-- The log ends where the memory is: nothing changed without it, and what is gone is said to be gone.
union all
select 'changed_without_a_log', n.row_id::text, format('is not as its last %s left it', n.action)
from newest_changes as n left join public.user_memory as m on m.user_id = n.user_id and m.id = n.row_id
where (n.action = 'delete') <> (m.id is null)
  or (m.id is not null and n.after is not null and not keepsake.differs_only_in_usage(
    to_jsonb(jsonb_populate_record(m, n.after)), to_jsonb(m)))

-- Nothing that was said before an erasure is remembered or told of, except what the person imported after it.
union all
select 'remembered_from_before_erasure', m.id::text, 'rests on a message from before'
from erased as e
join public.user_memory as m on m.user_id = e.user_id and m.profile_id = e.profile_id
join keepsake_chats.messages as s on s.id = m.source_message_id
where s.created_at < e.erased_before and m.created_at < e.erased_before
  and e.erased_before > now() - interval '30 days' and not exists (  -- the log, which an erasure empties, tells
    select from keepsake.changes as c
    where c.user_id = m.user_id and c.table_name = 'user_memory' and c.row_id = m.id and c.action = 'insert'
      and split_part(c.reason, ' of ', 1) = 'import'
  )
union all
select 'told_of_from_before_erasure', x.id::text, 'an extraction from before names a memory that is gone'
from erased as e join keepsake.extractions as x on x.user_id = e.user_id
cross join lateral jsonb_array_elements(x.results) as r (result)
left join public.user_memory as m on m.user_id = x.user_id and m.id = (r.result ->> 'memory_id')::uuid
where x.finished_at < e.erased_before and m.id is null

-- Whom and what memories name has a row, under one key; and a row is of something they name, or that its person named.
union all
select 'entity_without_a_row', m.id::text, 'names somebody or something that is not there'
from public.user_memory as m cross join lateral unnest(m.entity_refs) as r (ref)
where r.ref <> 'person:self' and not exists (
  select from public.user_memory_entities as e
  where e.user_id = m.user_id and e.profile_id = m.profile_id and e.key = r.ref
)
union all
select 'entity_of_no_memory', e.id::text, 'no memory names it'
from public.user_memory_entities as e
where not e.renamed and e.aliases = '{}' and not exists (
  select from entity_names as n where n.user_id = e.user_id and n.profile_id = e.profile_id and n.ref = e.key
)
union all
select 'proposal_of_no_entity', p.id::text, format('is %s', p.status)
from public.user_memory_alias_proposals as p
where not exists (
    select from public.user_memory_entities as e
    where e.user_id = p.user_id and e.profile_id = p.profile_id and e.key = p.key)
  or (p.status <> 'confirmed' and not exists (
    select from public.user_memory_entities as e
    where e.user_id = p.user_id and e.profile_id = p.profile_id and e.key = p.variant))

-- A comparison rests on monthly summaries of its own person and profile that are still there.
union all
select 'comparison_without_its_months', c.id::text, format('rests on %s', s.id)
from public.user_memory_yearly_comparisons as c cross join lateral unnest(c.source_ids) as s (id)
where not exists (
  select from public.user_memory_monthly_summaries as n
  where n.user_id = c.user_id and n.profile_id = c.profile_id and n.id = s.id
)

-- A summary that its person forgot does not stand.
union all
select 'forgotten_summary_stands', s.id::text, f.kind
from public.user_memory_forgotten_summaries as f
join (
  select p.id, p.user_id, p.profile_id, p.level as kind, p.first_date, null::uuid as session_id from keepsake.period_summaries as p
  union all
  select h.id, h.user_id, h.profile_id, 'history', h.end_date, null from public.user_memory_history_summaries as h
  union all
  select c.id, c.user_id, c.profile_id, 'session', null, c.session_id from public.user_memory_session_summaries as c
) as s on s.user_id = f.user_id and s.profile_id = f.profile_id and s.kind = f.kind
  and s.first_date is not distinct from f.first_date and s.session_id is not distinct from f.session_id

-- A summary rests on memories of its own person and profile that are still there.
union all
select 'summary_without_its_memory', s.id::text, format('rests on %s', s.memory_id)
from (
  select t.id, t.user_id, t.profile_id, unnest(t.memory_ids || array(
    select i.id::uuid from jsonb_array_elements_text(coalesce(t.previous -> 'memory_ids', '[]')) as i (id)
  )) as memory_id
  from (
    select p.id, p.user_id, p.profile_id, p.memory_ids, p.previous from keepsake.period_summaries as p
    union all
    select h.id, h.user_id, h.profile_id, h.memory_ids, h.previous from public.user_memory_history_summaries as h
    union all
    select x.profile_id, x.user_id, x.profile_id, x.memory_ids, null from keepsake.context_cache as x
    union all
    select c.id, c.user_id, c.profile_id, c.memory_ids, null from public.user_memory_yearly_comparisons as c
  ) as t
) as s
where not exists (
  select from public.user_memory as m
  where m.user_id = s.user_id and m.profile_id = s.profile_id and m.id = s.memory_id
)

-- An edit that waits for its screening, or was rejected, is in the log of its memory; a rejected one does not stand.
union all
select 'unscreened_edit_without_its_change', e.memory_id::text, format('operation %s', e.operation_id)
from keepsake.unscreened_edits as e
where not exists (
  select from keepsake.changes as c
  where c.user_id = e.user_id and c.table_name = 'user_memory' and c.row_id = e.memory_id and c.operation_id = e.operation_id
)
union all
select 'rejected_edit_stands', e.memory_id::text, format('rejected: %s', e.rejection)
from keepsake.unscreened_edits as e
join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
where e.rejection is not null and m.status <> 'deleted' and exists (
  select from keepsake.changes as c
  where c.user_id = e.user_id and c.row_id = e.memory_id and c.operation_id = e.operation_id and c.undone_at is null
    and c.after ->> 'memory_text' = m.memory_text and c.before ->> 'memory_text' is distinct from m.memory_text
)

-- A to-do is open, or has the time at which it was closed; and nothing said before an erasure is one.
union all
select 'todo_closed_before_it_was_opened', t.id::text, format('is %s', t.status)
from public.user_memory_todos as t where t.closed_at < t.opened_at
union all
select 'todo_from_before_erasure', t.id::text, 'rests on a message from before'
from erased as e
join public.user_memory_todos as t on t.user_id = e.user_id and t.profile_id = e.profile_id
join keepsake_chats.messages as s on s.id = t.source_message_id
where s.created_at < e.erased_before and t.created_at < e.erased_before and t.source <> 'import'
  and e.erased_before > now() - interval '30 days' and not exists (
    select from keepsake.changes as c
    where c.user_id = t.user_id and c.table_name = 'user_memory_todos' and c.row_id = t.id and c.action = 'insert'
      and split_part(c.reason, ' of ', 1) = 'import'
  )

-- Texts about sessions, and the spine, rest on memories and to-dos of their own person that are still there.
union all
select 'session_text_without_its_source', s.id::text, format('rests on %s', s.source_id)
from (
  select n.id, n.user_id, n.profile_id, unnest(n.source_ids) as source_id from public.user_memory_session_summaries as n
  union all
  select n.id, n.user_id, n.profile_id, unnest(n.source_ids) from public.user_memory_session_state as n
  union all
  select n.id, n.user_id, n.profile_id, unnest(n.source_ids) from public.user_memory_spine as n
) as s
where not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.profile_id = s.profile_id and m.id = s.source_id
  ) and not exists (
    select from public.user_memory_todos as t
    where t.user_id = s.user_id and t.profile_id = s.profile_id and t.id = s.source_id
  )
