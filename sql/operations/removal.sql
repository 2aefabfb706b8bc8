-- What `keepsake remove` asks before it takes Keepsake out of a database.

-- name: installation
-- How much goes, and which of Keepsake's tables hold chats of the application itself.
select (select count(distinct m.user_id) from public.user_memory as m) as people,
  (select count(*) from public.user_memory as m where m.status <> 'deleted') as memories,
  (select count(*) from keepsake.period_summaries) + (select count(*) from public.user_memory_session_summaries) as summaries,
  to_regnamespace('chat_copies') is not null as has_copies,
  (select count(*) from auth.users as u where u.raw_app_meta_data ->> 'made_by' = 'keepsake') as accounts,
  case when to_regnamespace('chat_copies') is null then array_remove(array[
    case when exists (select from keepsake_chats.conversations) then 'conversations' end,
    case when exists (select from keepsake_chats.messages) then 'messages' end,
    case when exists (select from keepsake_chats.conversations_participants) then 'conversations_participants' end,
    case when exists (select from keepsake_chats.conversation_summaries) then 'conversation_summaries' end,
    case when exists (select from keepsake_chats.user_profile_list) then 'user_profile_list' end
  ], null) else '{}' end as filled

-- name: has_history
-- Whether there is a history of migrations.
select to_regclass('supabase_migrations.schema_migrations') is not null

-- name: adopted_versions
-- The version of the migration that adoption wrote.
select h.version from supabase_migrations.schema_migrations as h where h.name = %(name)s
