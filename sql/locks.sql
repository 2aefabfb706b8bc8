-- Every lock that the functions take, in the order in which they take them: see docs/transactions.md.

-- name: lock_erasure
-- Advisory lock: one erasure at a time for a person. It is the first in the lock order.
select pg_advisory_xact_lock(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0))

-- name: lock_out_erasure
-- Takes the erasure lock as shared: an erasure takes the rate counter and the turns in another order and could deadlock.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0))

-- name: lock_commands
-- Advisory locks: one command at a time for a person in a conversation, and none during an erasure, which locks merges
-- before it ends turns, while a command does the reverse.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0)),
  pg_advisory_xact_lock(hashtextextended('keepsake.command:' || %(user_id)s::text || %(conversation_id)s::text, 0))

-- name: lock_open_turns
-- Locks the person's unfinished turns by id: the holder of a claim writes before the erasure, or is rejected.
select e.id, e.source_message_id as message_id, e.conversation_id from keepsake.extractions as e
where e.user_id = %(user_id)s and e.status in ('pending', 'claimed')
order by e.id for update

-- name: lock_turn
-- Locks a turn and reads its state; waits for an extraction that is writing.
select status, coalesce(results, '[]') as results, operation_id from keepsake.extractions
where user_id = (
    select m.user_id from keepsake_chats.messages as m where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
  ) and source_message_id = %(message_id)s for update

-- name: lock_claims
-- Locks the claims, the settings and the participations of their authors, in this order, as the triggers do: each kind of
-- lock for all turns, by id, before the next kind. Returns the turns whose claims are still valid; the next statement reads
-- the current choices. The shared erasure lock comes first: an erasure locks turns and then merges, as the caller does.
with erasure_lock as materialized (
  select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || p.user_id::text, 0))
  from (select distinct u.user_id from unnest(%(user_ids)s::uuid[]) as u (user_id) order by 1) as p
),
claimed as materialized (
  select e.id, e.user_id, e.conversation_id from keepsake.extractions as e
  where e.user_id = any(%(user_ids)s::uuid[]) and e.id = any(%(ids)s::uuid[]) and e.claim_token = %(token)s and e.status = 'claimed'
    and (select count(*) from erasure_lock) >= 0
  order by e.id for update
),
settings as materialized (
  select s.user_id from public.user_memory_settings as s
  where s.user_id = any(array(select c.user_id from claimed as c)) order by s.user_id for share
),
participation as materialized (
  select p.user_id
  from (select c.user_id, c.conversation_id from claimed as c order by 1, 2) as k
  cross join lateral (
    select p.user_id from keepsake_chats.conversations_participants as p
    where p.conversation_id = k.conversation_id and p.user_id = k.user_id and (select count(*) from settings) >= 0
    for share
  ) as p
)
select c.id from claimed as c where (select count(*) from participation) >= 0

-- name: lock_settings
-- Locks the person's settings until the transaction ends; reads whether memory may be built.
select building and enabled as building from public.user_memory_settings where user_id = %(user_id)s for share

-- name: lock_participation
-- Locks the person's choice for the conversation until the transaction ends; reads whether memory is on there, and for this
-- profile.
select p.profile_id = %(profile_id)s and keepsake.is_memory_enabled(c.mode::text, p.memory_enabled) as is_enabled
from keepsake_chats.conversations_participants as p join keepsake_chats.conversations as c on c.id = p.conversation_id
where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s for share of p

-- name: lock_profile
-- Advisory lock: one merge at a time for a profile.
select keepsake.lock_merges(%(user_id)s::uuid, array[%(profile_id)s::uuid::text])

-- name: lock_out_erasure_and_merges
-- Both of the above in one statement, in the lock order: the shared erasure lock, then the merge lock of a profile.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::uuid::text, 0)),
  keepsake.lock_merges(%(user_id)s::uuid, array[%(profile_id)s::uuid::text])

-- name: lock_profile_entities
-- Takes the merge lock of a profile, and reads its entities, oldest first.
with locked as materialized (
  select keepsake.lock_merges(%(user_id)s::uuid, array[%(profile_id)s::uuid::text])
)
select e.key, e.label, e.aliases
from locked join public.user_memory_entities as e on e.user_id = %(user_id)s::uuid and e.profile_id = %(profile_id)s::uuid
order by e.created_at, e.key

-- name: lock_profiles_of_several
-- Takes the merge locks of profiles of several people, in the order of their ids.
select keepsake.lock_merges(t.user_id, array[t.profile_id::text])
from (
  select distinct p.user_id, p.profile_id
  from unnest(%(user_ids)s::uuid[], %(profile_ids)s::uuid[]) as p (user_id, profile_id) order by 1, 2
) as t

-- name: lock_profiles
-- Takes the merge locks of these profiles, in the lock order.
select keepsake.lock_merges(%(user_id)s, %(profiles)s::text[])

-- name: lock_all_profiles
-- Takes the merge lock of each profile of the person, in the lock order.
select keepsake.lock_merges(%(user_id)s::uuid, array(
  select f.id::text from keepsake_chats.user_profile_list as f where f.user_id = %(user_id)s
))

-- name: lock_memories
-- Locks the memories about to change by id: the lock order, which prevents a deadlock.
select id from public.user_memory
where user_id = %(user_id)s and id = any(%(ids)s::uuid[])
order by id for no key update

-- name: lock_all_memories
-- Locks all memories of the person by id, in the lock order.
select id from public.user_memory where user_id = %(user_id)s and status <> 'deleted' order by id for no key update

-- name: lock_erased_memories
-- Locks the targeted memories by id, in the lock order.
select m.id from public.user_memory as m
where m.user_id = %(user_id)s and m.id = any(%(memory_ids)s::uuid[])
order by m.id for update
