-- The queries of conversation-manager, for the calling person.

-- name: visible_conversation
-- The conversation as its participant sees it; run as the person.
select c.id, c.mode::text as mode from keepsake_chats.conversations as c where c.id = %(conversation_id)s

-- name: own_profile
-- One of the caller's own profiles; run as the person.
select f.id, coalesce(f.is_primary, false) as is_primary from keepsake_chats.user_profile_list as f
where f.id = %(profile_id)s and f.user_id = %(user_id)s

-- name: primary_profile
-- The primary profile of a person, where they have one.
select f.id from keepsake_chats.user_profile_list as f where f.user_id = %(user_id)s and f.is_primary

-- name: choose_profile
-- Set the profile a participant chose; the triggers update the owner's conversation and remember_since.
update keepsake_chats.conversations_participants as p set profile_id = %(profile_id)s
where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s
returning p.conversation_id, p.profile_id, p.memory_enabled, p.remember_since

-- name: choose_memory
-- Set whether a participant wants to be remembered in a conversation; null is the default of the mode.
update keepsake_chats.conversations_participants as p set memory_enabled = %(memory_enabled)s
where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s
returning p.conversation_id, p.profile_id, p.memory_enabled, p.remember_since
