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
-- The tables without row-level security that hold memories, or that Keepsake reads and a person may read too. What else
-- the application has is its own business.
select c.relname from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
  and (starts_with(c.relname, 'user_memory') or (has_table_privilege('authenticated', c.oid, 'select') and c.relname in
    ('user_profile_list', 'conversations', 'conversations_participants', 'messages', 'conversation_summaries')))
order by 1

-- name: unreadable_turns
-- How many messages of the last 7 days neither rules nor a model could read, because of their language.
select count(*) from keepsake.extractions
where reason = 'language' and finished_at > now() - interval '7 days'

-- name: profile_timezones
-- The time zones of all profiles, each with how many have it.
select timezone, count(*) from public.user_profile_list
where timezone is not null group by timezone
