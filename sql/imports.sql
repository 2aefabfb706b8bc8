-- The queries of an import.

-- name: own_profiles
-- The profiles of the caller, the primary one first; a host may have none.
select p.id, coalesce(p.is_primary, false) as is_primary
from keepsake_chats.user_profile_list as p
where p.user_id = %(user_id)s
order by coalesce(p.is_primary, false) desc, p.id

-- name: allowed_types
-- The memory types that a person allows, where they have settings.
select s.allowed_types::text[] as allowed_types from public.user_memory_settings as s where s.user_id = %(user_id)s

-- name: count_erasures
-- How many times the person has erased anything.
select coalesce((
  select c.value from keepsake.counters as c
  where c.user_id = %(user_id)s and c.name = 'erasures' and c.period_start = '-infinity'
), 0) as erasures

-- name: count_active
-- The number of active memories of each profile.
select m.profile_id::text as profile_id, count(*) as active
from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = any(%(profiles)s::uuid[]) and m.status = 'active'
group by m.profile_id

-- name: match_rows
-- The conflicts and duplicates of each row of a batch. Each subquery uses the index meant for it, whatever the statistics
-- say: ids are found by id alone (offset 0) and compared with the person after that, numbers in their order (between bounds,
-- because rows that an undo deleted stay in the index), and limit 1 keeps the planner from hashing a whole table. A row
-- written by this import counts as a duplicate only of unsigned rows of the same state, because an export may contain the
-- same text as current and as superseded.
select keepsake.comparable_text(g.memory_text) as comparable_text,
  (select o.status from (select m.user_id, m.status from public.user_memory as m where m.id = g.id offset 0) as o
    where o.user_id = %(user_id)s) as status_of_same_id,
  (select m.status from (
      select w.id, w.profile_id, w.persona_id, w.memory_text, w.status from public.user_memory as w
      where w.user_id = %(user_id)s and hashtextextended(keepsake.comparable_text(w.memory_text), 0)
        = hashtextextended(keepsake.comparable_text(g.memory_text), 0)
      offset 0
    ) as m
    where keepsake.comparable_text(m.memory_text) = keepsake.comparable_text(g.memory_text)
      and m.profile_id = g.profile_id and m.persona_id is not distinct from g.persona_id
      and ((not g.signed and m.status = g.status) or ((not g.signed or m.status = g.status) and (
        select c.seq from keepsake.changes as c
        where c.user_id = %(user_id)s and c.table_name = 'user_memory' and c.row_id = m.id
          and c.operation_id = %(operation_id)s and c.action = 'insert' limit 1) is null))
    order by m.status = 'active' desc limit 1) as status_of_same_text,
  (select m.id from public.user_memory as m where m.id = g.id limit 1) is not null as id_taken,
  (select m.memory_no from public.user_memory as m where m.user_id = %(user_id)s and m.memory_no >= g.memory_no
    and m.memory_no < g.memory_no + 1 order by m.memory_no limit 1) is not null as number_taken,
  g.memory_key is not null and (select m.id from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = g.profile_id and m.persona_id is not distinct from g.persona_id
      and m.memory_key = g.memory_key and m.status = 'active' limit 1) is not null as key_taken,
  (select p.user_id from keepsake_chats.conversations_participants as p
    where p.conversation_id = g.conversation_id and p.user_id = %(user_id)s limit 1) is not null as conversation_known,
  exists (select from (select s.user_id from keepsake_chats.messages as s where s.id = g.source_message_id offset 0) as o
    where o.user_id = %(user_id)s) as message_known,
  exists (select from (select m.user_id from public.user_memory as m where m.id = g.supersedes_id offset 0) as o
    where o.user_id = %(user_id)s) as supersedes_known,
  exists (select from (select m.user_id from public.user_memory as m where m.id = g.folded_into offset 0) as o
    where o.user_id = %(user_id)s) as folded_known,
  case when g.signed or g.entity_refs in ('{}', '{person:self}') then g.entity_refs
    else keepsake.canonical_entity_refs(%(user_id)s, g.profile_id, g.entity_refs) end as entity_refs
from jsonb_to_recordset(%(rows)s) as g (n integer, id uuid, profile_id uuid, persona_id text, memory_text text,
  memory_key text, memory_no bigint, status text, conversation_id uuid, source_message_id uuid, supersedes_id uuid,
  folded_into uuid, entity_refs text[], signed boolean)
order by g.n

-- name: reserve_numbers
-- Reserves a range of memory numbers after the highest in the file; returns the last.
insert into keepsake.counters as c (user_id, name, value)
values (%(user_id)s, 'memory_no', %(minimum)s::bigint + %(count)s::bigint)
on conflict (user_id, name, period_start) do update set value = greatest(c.value, %(minimum)s) + %(count)s
returning value

-- name: set_raw_write
-- Raw write: from here on in this transaction rows are written exactly as given, with their numbers, as undo does.
select set_config('keepsake.raw_write', %(on)s, true)

-- name: set_implicit_entity_changes
-- From here on in this transaction an entity created with a memory is not logged as a change of its own.
select set_config('keepsake.implicit_entity_change', %(on)s, true)

-- name: insert_rows
-- Inserts the rows of a batch; a row that conflicts with a concurrent write is skipped.
insert into public.user_memory (id, user_id, profile_id, conversation_id, source_message_id, turn_index, memory_text,
  memory_type, confidence_score, astrological_context, origin_mode, created_at, last_referenced_at, reference_count,
  status, deleted_at, memory_no, subtype, entity_type, memory_key, value, importance, pinned, entity_refs, entity_label,
  persona_id, language, source, source_quote, supersedes_id, valid_from, valid_to, expires_at, archived_at, updated_at,
  folded_into, doubted_at, restated_at, period)
select r.id, %(user_id)s, r.profile_id, r.conversation_id, r.source_message_id, r.turn_index, r.memory_text,
  r.memory_type, r.confidence_score, r.astrological_context, r.origin_mode, r.created_at, r.last_referenced_at,
  r.reference_count, r.status, r.deleted_at, r.memory_no, r.subtype, r.entity_type, r.memory_key, r.value, r.importance,
  r.pinned, r.entity_refs, r.entity_label, r.persona_id, r.language, r.source, r.source_quote, r.supersedes_id,
  r.valid_from, r.valid_to, r.expires_at, r.archived_at, r.updated_at, r.folded_into, r.doubted_at, r.restated_at,
  r.period
from jsonb_populate_recordset(null::public.user_memory, %(rows)s) as r
order by r.memory_no
on conflict do nothing
returning id

-- name: link_deferred
-- Sets the references to superseded memories and folds that came later in the file.
update public.user_memory as m
set supersedes_id = coalesce(older.id, m.supersedes_id), folded_into = coalesce(fold.id, m.folded_into)
from jsonb_to_recordset(%(links)s) as t (id uuid, supersedes_id uuid, folded_into uuid)
left join public.user_memory as older on older.user_id = %(user_id)s and older.id = t.supersedes_id
left join public.user_memory as fold on fold.user_id = %(user_id)s and fold.id = t.folded_into
where m.user_id = %(user_id)s and m.id = t.id and (older.id is not null or fold.id is not null)

-- name: restore_entities
-- Inserts entities as exported; an existing one stays.
insert into public.user_memory_entities (id, user_id, profile_id, key, label, renamed, aliases, created_at, updated_at)
select r.id, %(user_id)s, r.profile_id, r.key, r.label, r.renamed, r.aliases, r.created_at, r.updated_at
from jsonb_populate_recordset(null::public.user_memory_entities, %(rows)s) as r
on conflict do nothing
returning id, profile_id, key

-- name: restore_alias_proposals
-- Inserts alias proposals with their decisions.
insert into public.user_memory_alias_proposals (id, user_id, profile_id, key, variant, similarity, status, created_at,
  decided_at)
select r.id, %(user_id)s, r.profile_id, r.key, r.variant, r.similarity, r.status, r.created_at, r.decided_at
from jsonb_populate_recordset(null::public.user_memory_alias_proposals, %(rows)s) as r
on conflict do nothing
returning id

-- name: restore_places
-- Inserts places.
insert into public.user_memory_places (id, user_id, profile_id, place_id, name, notes, source, created_at, updated_at)
select r.id, %(user_id)s, r.profile_id, r.place_id, r.name, r.notes, r.source, r.created_at, r.updated_at
from jsonb_populate_recordset(null::public.user_memory_places, %(rows)s) as r
on conflict do nothing
returning id

-- name: restore_place_mentions
-- Inserts mentions of places whose place, conversation and message still exist.
insert into public.user_memory_place_mentions (id, user_id, profile_id, place, conversation_id, source_message_id,
  mentioned_at)
select r.id, %(user_id)s, p.profile_id, r.place,
  (select c.conversation_id from keepsake_chats.conversations_participants as c
    where c.conversation_id = r.conversation_id and c.user_id = %(user_id)s),
  (select m.id from keepsake_chats.messages as m where m.id = r.source_message_id and m.user_id = %(user_id)s), r.mentioned_at
from jsonb_populate_recordset(null::public.user_memory_place_mentions, %(rows)s) as r
join public.user_memory_places as p on p.user_id = %(user_id)s and p.id = r.place
on conflict do nothing
returning id

-- name: restore_todos
-- Inserts to-dos; without a conversation or a message that does not exist any more.
insert into public.user_memory_todos (id, user_id, profile_id, persona_id, kind, todo_text, status, due_date, source,
  source_quote, conversation_id, source_message_id, closed_by_message_id, opened_at, closed_at, created_at, updated_at)
select r.id, %(user_id)s, r.profile_id, r.persona_id, r.kind, r.todo_text, r.status, r.due_date, r.source, r.source_quote,
  (select c.conversation_id from keepsake_chats.conversations_participants as c
    where c.conversation_id = r.conversation_id and c.user_id = %(user_id)s),
  (select m.id from keepsake_chats.messages as m where m.id = r.source_message_id and m.user_id = %(user_id)s),
  (select m.id from keepsake_chats.messages as m where m.id = r.closed_by_message_id and m.user_id = %(user_id)s),
  r.opened_at, r.closed_at, r.created_at, r.updated_at
from jsonb_populate_recordset(null::public.user_memory_todos, %(rows)s) as r
on conflict do nothing
returning id

-- name: delete_unreferenced_entities
-- Deletes imported entities that no memory refers to.
select keepsake.delete_unreferenced_entities(%(user_id)s, %(profile_id)s::uuid, %(keys)s::text[])
