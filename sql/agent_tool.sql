-- The queries of the agent tool: the person it acts for, the facts of the memory document, and places.

-- name: person_defaults
-- The defaults of a person outside any conversation: primary profile and settings.
select f.id as profile_id, f.name, f.nickname, coalesce(s.building, true) as building, coalesce(s.enabled, true) as enabled,
  s.allowed_types::text[] as allowed_types,
  exists (
    select from keepsake.unscreened_edits as e
    join public.user_memory as o on o.user_id = e.user_id and o.id = e.memory_id
    where e.user_id = f.user_id and e.rejection is null and o.status <> 'deleted'
  ) as has_unscreened_edits
from keepsake_chats.user_profile_list as f
left join public.user_memory_settings as s on s.user_id = f.user_id
where f.user_id = %(user_id)s and f.is_primary

-- name: participation
-- Whether the caller sees the conversation and takes part in it; run as the person.
select p.user_id from keepsake_chats.conversations_participants as p
where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s

-- name: facts
-- The current memories of a profile for this persona, and the newest past ones.
(
  select m.id, m.memory_text || case when m.doubted_at is null then '' else ' (may no longer hold)' end as memory_text,
    m.created_at, m.updated_at, true as current, m.pinned, m.importance, m.conversation_id,
    m.source_message_id, m.memory_type, m.subtype, m.source
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (m.persona_id is null or m.persona_id = %(persona_id)s) and m.memory_type = any(%(types)s::public.memory_type[])
    and m.id not in (select e.memory_id from keepsake.unscreened_edits as e
      where e.user_id = %(user_id)s and e.rejection is null)
)
union all
(
  select m.id, m.memory_text, m.created_at, m.updated_at, false, false, m.importance, m.conversation_id, m.source_message_id,
    m.memory_type, m.subtype, m.source
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status in ('superseded', 'archived', 'expired')
    and (m.persona_id is null or m.persona_id = %(persona_id)s) and m.memory_type = any(%(types)s::public.memory_type[])
    and m.id not in (select e.memory_id from keepsake.unscreened_edits as e
      where e.user_id = %(user_id)s and e.rejection is null)
  order by m.created_at desc limit %(max_past)s
)

-- name: archive_evicted
-- Archives what the agent had added and the document has no room for; pinned and confirmed memories stay.
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and status = 'active' and not pinned
  and source = 'agent_tool' and confidence_score < 1.0
returning id

-- name: archive_memory
-- Archives a memory that no longer holds, so that the person can restore it.
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id

-- name: memory_by_ref
-- A memory of the person by its id or its number.
select id from public.user_memory
where user_id = %(user_id)s and (id = %(id)s or memory_no = %(number)s) and status <> 'deleted'

-- name: upsert_place
-- Inserts a place, or updates one that an agent added; what the person wrote or imported stays.
insert into public.user_memory_places as p (user_id, profile_id, place_id, name, notes, source, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(place_id)s, %(name)s, %(notes)s, %(source)s, %(now)s, %(now)s)
on conflict (user_id, profile_id, place_id) do update
  set name = case when p.source = 'agent_tool' then excluded.name else p.name end,
    notes = case when p.source = 'agent_tool' then coalesce(excluded.notes, p.notes) else p.notes end
returning p.id, xmax = 0 as added

-- name: record_mention
-- Records that the person mentioned a place in this turn; a turn counts once.
insert into public.user_memory_place_mentions
  (user_id, profile_id, place, conversation_id, source_message_id, mentioned_at)
select %(user_id)s, %(profile_id)s, %(place)s, p.conversation_id, m.id, coalesce(
  keepsake.message_time(m.created_at, %(now)s), %(now)s)
from keepsake_chats.conversations_participants as p
left join keepsake_chats.messages as m
  on m.id = %(message_id)s and m.conversation_id = p.conversation_id and m.user_id = %(user_id)s
where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s
on conflict (user_id, place, source_message_id) do nothing

-- name: places_of_interest
-- The places mentioned in most conversations, for the first message of a conversation.
select p.name, p.notes, count(distinct n.conversation_id) as conversations
from public.user_memory_places as p
left join public.user_memory_place_mentions as n on n.user_id = p.user_id and n.place = p.id
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s
group by p.user_id, p.id
order by conversations desc, p.updated_at desc, p.id
limit %(limit)s

-- name: places
-- The places of a profile with their mentions.
select p.place_id, p.name, p.notes, p.created_at, p.updated_at, coalesce(
  jsonb_agg(jsonb_build_array(n.conversation_id, n.source_message_id, n.mentioned_at) order by n.mentioned_at)
    filter (where n.conversation_id is not null), '[]') as mentions
from public.user_memory_places as p
left join public.user_memory_place_mentions as n on n.user_id = p.user_id and n.place = p.id
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s
group by p.user_id, p.id
order by p.created_at, p.id
