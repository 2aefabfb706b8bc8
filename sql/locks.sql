-- Every lock that the functions take, in the order in which they take them: see docs/transactions.md.

-- name: lock_erasure
-- One erasure at a time for a person.
select pg_advisory_xact_lock(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0))

-- name: lock_out_erasure
-- No erasure of the person's meanwhile: it wants what a change holds, the count of the minute or a turn, in another order.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0))

-- name: lock_commands
-- One command at a time for a person in a conversation, and none while something of theirs is being erased: an erasure
-- ends turns after it has locked merges, a command before.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0)),
  pg_advisory_xact_lock(hashtextextended('keepsake.command:' || %(user_id)s::text || %(conversation_id)s::text, 0))

-- name: lock_open_turns
-- The person's turns that nobody has finished with: whoever is at one writes before this, or not at all.
select e.id, e.source_message_id as message_id, e.conversation_id from keepsake.extractions as e
where e.user_id = %(user_id)s and e.status in ('pending', 'claimed')
order by e.id for update

-- name: lock_turn
-- What became of a turn, locked: an extraction that is writing is waited for.
select status, coalesce(results, '[]') as results from keepsake.extractions
where conversation_id = %(conversation_id)s and source_message_id = %(message_id)s for update

-- name: lock_claim
-- The claim, and what its author chose, kept as they are until this transaction ends: first the claim, then the settings and
-- their part in the conversation, as the triggers do. Nothing comes back where the claim has passed to another. What was
-- chosen meanwhile is read by the next statement. Before all that an erasure of the author's is waited for: it ends turns
-- when it already holds back the merge that comes after this.
with unerased as materialized (
  select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::uuid::text, 0))
),
claimed as materialized (
  select id from keepsake.extractions
  where id = %(id)s and claim_token = %(token)s and status = 'claimed' and (select count(*) from unerased) >= 0
  for update
),
settings as materialized (
  select user_id from public.user_memory_settings
  where user_id = %(user_id)s and exists (select from claimed) for share
),
part as materialized (
  select user_id from public.conversations_participants
  where conversation_id = %(conversation_id)s and user_id = %(user_id)s and exists (select from claimed)
    and (select count(*) from settings) >= 0 for share
)
select id, (select count(*) from part) as parts from claimed

-- name: lock_settings
-- Keep the person's settings as they are until this transaction ends, and say whether memory may be built.
select building and enabled as building from public.user_memory_settings where user_id = %(user_id)s for share

-- name: lock_participation
-- Keep what the person chose for the conversation as it is until this transaction ends.
select user_id from public.conversations_participants
where conversation_id = %(conversation_id)s and user_id = %(user_id)s for share

-- name: lock_profile
-- One merge at a time for a person's profile.
select pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || %(user_id)s::text || %(profile_id)s::text, 0))

-- name: lock_profile_entities
-- The same; and everybody and everything its memories are about, oldest first.
with locked as materialized (
  select pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || %(user_id)s::uuid::text || %(profile_id)s::uuid::text, 0))
)
select e.key, e.label, e.aliases
from locked join public.user_memory_entities as e on e.user_id = %(user_id)s::uuid and e.profile_id = %(profile_id)s::uuid
order by e.created_at, e.key

-- name: lock_profiles
-- Wait for the merges into these profiles, and let none begin until the transaction ends.
select keepsake.hold_merges(%(user_id)s, %(profiles)s::text[])

-- name: lock_all_profiles
-- The same for every profile of a person.
select keepsake.hold_merges(%(user_id)s::uuid, array(
  select f.id::text from public.user_profile_list as f where f.user_id = %(user_id)s
))

-- name: lock_memories
-- Lock the memories about to change, always in the order of their ids, so that there is no deadlock.
select id from public.user_memory
where user_id = %(user_id)s and id = any(%(ids)s::uuid[])
order by id for no key update

-- name: lock_all_memories
-- Lock everything remembered of a person, in the same order.
select id from public.user_memory where user_id = %(user_id)s and status <> 'deleted' order by id for no key update

-- name: lock_erased_memories
-- Lock the memories that will go, in the same order.
select m.id from public.user_memory as m
where m.user_id = %(user_id)s and m.id = any(%(memory_ids)s::uuid[])
order by m.id for update
