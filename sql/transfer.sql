-- What leaves with an export, and how an import comes back.

-- name: own_profiles
-- The profiles of the caller, the primary one first; a host may keep none primary.
select p.id, coalesce(p.is_primary, false) as is_primary
from public.user_profile_list as p
where p.user_id = %(user_id)s
order by coalesce(p.is_primary, false) desc, p.id

-- name: allowed_types
-- The kinds of memories a person allows, where they have chosen.
select s.allowed_types::text[] as allowed_types from public.user_memory_settings as s where s.user_id = %(user_id)s

-- name: hold_merges
-- Wait for the merges into these profiles, and let none begin until the transaction ends.
select keepsake.hold_merges(%(user_id)s, %(profiles)s::text[])

-- name: count_active
-- How many active memories each of these profiles holds.
select m.profile_id::text as profile_id, count(*) as active
from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = any(%(profiles)s::uuid[]) and m.status = 'active'
group by m.profile_id

-- name: look_up_rows
-- What stands in the way of each row of a batch, or is there already. What this very import has written counts only for
-- rows that nobody signed: an export may say the same twice, now and in what was replaced.
select keepsake.plain_text(g.memory_text) as plain_text,
  (select m.status from public.user_memory as m where m.user_id = %(user_id)s and m.id = g.id) as own_id,
  (select m.status from public.user_memory as m
    where m.user_id = %(user_id)s
      and hashtextextended(keepsake.plain_text(m.memory_text), 0)
        = hashtextextended(keepsake.plain_text(g.memory_text), 0)
      and keepsake.plain_text(m.memory_text) = keepsake.plain_text(g.memory_text)
      and m.profile_id = g.profile_id and m.persona_id is not distinct from g.persona_id
      and (not g.signed or (m.status = g.status and not exists (
        select from keepsake.changes as c
        where c.user_id = m.user_id and c.table_name = 'user_memory' and c.row_id = m.id
          and c.operation_id = %(operation_id)s and c.action = 'insert')))
    order by m.status = 'active' desc limit 1) as alike,
  exists (select from public.user_memory as m where m.id = g.id) as id_taken,
  exists (select from public.user_memory as m where m.user_id = %(user_id)s and m.memory_no = g.memory_no)
    as number_taken,
  exists (select from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = g.profile_id and m.persona_id is not distinct from g.persona_id
      and m.memory_key = g.memory_key and m.status = 'active') as slot_taken,
  exists (select from public.conversations_participants as p
    where p.conversation_id = g.conversation_id and p.user_id = %(user_id)s) as conversation_known,
  exists (select from public.messages as s where s.id = g.source_message_id and s.user_id = %(user_id)s)
    as message_known,
  exists (select from public.user_memory as m where m.user_id = %(user_id)s and m.id = g.supersedes_id)
    as supersedes_known
from jsonb_to_recordset(%(rows)s) as g (n integer, id uuid, profile_id uuid, persona_id text, memory_text text,
  memory_key text, memory_no bigint, status text, conversation_id uuid, source_message_id uuid, supersedes_id uuid,
  signed boolean)
order by g.n

-- name: take_numbers
-- The last of so many running numbers, all beyond those that rows bring along.
insert into keepsake.counters as c (user_id, name, value)
values (%(user_id)s, 'memory_no', %(at_least)s::bigint + %(wanted)s::bigint)
on conflict (user_id, name, period_start) do update set value = greatest(c.value, %(at_least)s) + %(wanted)s
returning value

-- name: keep_every_column
-- From here on a row is written exactly as it is given, its number too; as undo does.
select set_config('keepsake.undoing', %(on)s, true)

-- name: insert_rows
-- Write the rows of a batch; what somebody else has put in their place meanwhile is left out.
insert into public.user_memory (id, user_id, profile_id, conversation_id, source_message_id, turn_index, memory_text,
  memory_type, confidence_score, astrological_context, origin_mode, created_at, last_referenced_at, reference_count,
  status, deleted_at, memory_no, subtype, entity_type, memory_key, value, importance, pinned, entity_refs, entity_label,
  persona_id, language, source, source_quote, supersedes_id, valid_from, valid_to, expires_at, archived_at, updated_at)
select r.id, %(user_id)s, r.profile_id, r.conversation_id, r.source_message_id, r.turn_index, r.memory_text,
  r.memory_type, r.confidence_score, r.astrological_context, r.origin_mode, r.created_at, r.last_referenced_at,
  r.reference_count, r.status, r.deleted_at, r.memory_no, r.subtype, r.entity_type, r.memory_key, r.value, r.importance,
  r.pinned, r.entity_refs, r.entity_label, r.persona_id, r.language, r.source, r.source_quote, r.supersedes_id,
  r.valid_from, r.valid_to, r.expires_at, r.archived_at, r.updated_at
from jsonb_populate_recordset(null::public.user_memory, %(rows)s) as r
order by r.memory_no
on conflict do nothing
returning id

-- name: tie_chains
-- Point rows at the ones they replaced, where those came later in the file.
update public.user_memory as m set supersedes_id = t.supersedes_id
from jsonb_to_recordset(%(chains)s) as t (id uuid, supersedes_id uuid)
where m.user_id = %(user_id)s and m.id = t.id
  and exists (select from public.user_memory as o where o.user_id = %(user_id)s and o.id = t.supersedes_id)
