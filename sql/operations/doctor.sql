-- What `keepsake doctor` asks the database, with the login of the functions.

-- name: missing_roles
-- The roles that Keepsake needs and the server does not have.
select name from unnest(array['anon', 'authenticated', 'service_role', 'keepsake_api']) as name
where not exists (select from pg_roles where rolname = name)

-- name: has_excessive_rights
-- Whether the login may do more than act as a person or the service.
select rolsuper or rolbypassrls or rolcreaterole from pg_roles where rolname = current_user

-- name: roles_not_granted
-- The roles that the login must be able to take and cannot.
select name from unnest(array['authenticated', 'service_role']) as name
where not pg_has_role(current_user, name, 'member')

-- name: unprotected_tables
-- Keepsake's tables in public without row-level security: those with memories, and the tables of a chat, which keepsake_chats
-- shows by views. What else the application has, also by such names, is its own business.
select c.relname from pg_class as c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
  and (c.relname = any (%(personal)s) or exists (select from pg_class as v
    where v.relnamespace = to_regnamespace('keepsake_chats') and v.relname = c.relname and v.relkind = 'v'))
order by 1

-- name: server
-- What tells one database from another: two servers that started in the same microsecond are not expected.
select pg_postmaster_start_time()::text || ' ' || current_database()

-- name: jobs
-- When run-due-jobs last looked for lost messages, and how many messages should have been read ten minutes ago. It looks two
-- minutes back.
select (select w.reached + interval '2 minutes' from keepsake.watermarks as w where w.name = 'lost_turns') as last_run,
  (select count(*) from (select from keepsake.extractions as e
    where e.status in ('pending', 'claimed') and e.next_attempt_at < now() - interval '10 minutes' limit 10000) as late) as late,
  now() as now

-- name: has_cron
-- Whether this database has pg_cron.
select to_regclass('cron.job') is not null

-- name: scheduled_functions
-- The functions that pg_cron calls, by its commands.
select distinct f.name
from cron.job as j cross join unnest(%(functions)s::text[]) as f (name)
where j.active and strpos(j.command, f.name) > 0

-- name: choices
-- How many people have a primary profile, and how many conversations of the last 7 days remember and do not.
select (select count(distinct p.user_id) from keepsake_chats.user_profile_list as p where p.is_primary) as people,
  count(*) filter (where w.remembers) as remembering, count(*) filter (where not w.remembers) as others
from (
  select exists (select from keepsake_chats.conversations_participants as p
    where p.conversation_id = m.conversation_id and p.profile_id is not null) as remembers
  from (select distinct r.conversation_id from (select conversation_id from keepsake_chats.messages
    where role = 'user' and created_at > now() - interval '7 days' limit 10000) as r) as m
) as w

-- name: unusable_messages
-- Of the last 7 days: messages of people without an author, and those whose conversation Keepsake does not know.
select count(*) filter (where m.user_id is null) as without_author,
  count(*) filter (where not exists (select from keepsake_chats.conversations as c where c.id = m.conversation_id)) as without_conversation
from (select user_id, conversation_id from keepsake_chats.messages
  where role = 'user' and created_at > now() - interval '7 days' limit 10000) as m

-- name: unreadable_turns
-- How many messages of the last 7 days neither rules nor a model could read, because of their language.
select count(*) from keepsake.extractions
where reason = 'language' and finished_at > now() - interval '7 days'

-- name: profile_timezones
-- The time zones of all profiles, each with how many have it.
select timezone, count(*) from keepsake_chats.user_profile_list
where timezone is not null group by timezone

-- name: clock
-- What time it is, in seconds since 1970.
select extract(epoch from clock_timestamp())

-- name: has_copies
-- Whether triggers keep copies of the application's own chats.
select to_regprocedure('chat_copies.counts()') is not null

-- name: unread_tables
-- The application's own tables with names of Keepsake's, where nothing copies its chats.
select array_agg('public.' || c.relname order by c.relname) from pg_class as c
where c.relname in ('conversations', 'messages') and c.relkind = 'r' and c.relnamespace = 'keepsake_chats'::regnamespace
  and to_regclass('public.' || c.relname) is not null and not exists (select from keepsake_chats.conversations)

-- name: copied_chats
-- The application's own chats: how many there are, how many are readable, and why not the others.
select found, readable, without_owner, deleted, without_account, failed from chat_copies.counts()
