-- The private schema, and the role that the deployed functions log in with. That role owns nothing; for one
-- transaction it becomes a person or the service. Roles belong to the whole cluster, so another database may have
-- created it already. Whoever signs in has Supabase's role authenticated: what a person can write is granted to it beside each
-- table, column by column, and a policy there limits it to their own rows. In the schema keepsake they can name nothing:
-- functions in `public` call those there, by a body (`begin atomic`) whose names were looked up when they were created.

create schema keepsake;
comment on schema keepsake is 'Private tables and functions of Keepsake: operations, jobs, caches and indexes. Not exposed by any API.';
revoke all on schema keepsake from public, anon, authenticated;
grant usage on schema keepsake to service_role;

create schema keepsake_chats;
comment on schema keepsake_chats is 'The chats as Keepsake reads them. Not exposed by any API; people read in it under the policies of its tables.';
revoke all on schema keepsake_chats from public, anon, authenticated;
grant usage on schema keepsake_chats to authenticated, service_role;

do $$
declare
  target_role text;
  is_granted boolean;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'keepsake_api') then
    begin
      create role keepsake_api nologin noinherit nobypassrls;
      comment on role keepsake_api is 'The login of Keepsake''s functions: give it LOGIN and a password.';
    exception when duplicate_object or unique_violation then
      raise notice 'another database of this cluster has just created keepsake_api';
    end;
  end if;

  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setdatabase = 0 and setrole = 'keepsake_api'::regrole and 'search_path=keepsake' = any (setconfig)
  ) then
    alter role keepsake_api set search_path = keepsake;
  end if;

  foreach target_role in array array['authenticated', 'service_role'] loop
    select exists (
      select from pg_catalog.pg_auth_members as m
      where m.roleid = target_role::regrole and m.member = 'keepsake_api'::regrole
    ) into is_granted;
    continue when is_granted;
    begin
      if current_setting('server_version_num')::int >= 160000 then
        execute format('grant %I to keepsake_api with inherit false, set true', target_role);
      else
        execute format('grant %I to keepsake_api', target_role);
      end if;
    exception when insufficient_privilege then
      raise exception '% may not grant % to keepsake_api', current_user, target_role
        using hint = format('Run as a role with ADMIN OPTION on it, then migrate again: grant %I to keepsake_api;', target_role);
    end;
  end loop;
end
$$;

grant usage on schema keepsake to keepsake_api;

-- The advisory lock of merging. Every writer of several memories takes its locks in one order, so that no two can
-- deadlock. The lock order: the person's erasure lock, the command lock of a conversation, turns
-- (keepsake.extractions) by id, settings, participations, merge locks by profile, memory rows by id, entities by key.

create function keepsake.lock_merges(person uuid, profiles text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || person || p.profile, 0))
  from (select distinct u.profile from unnest(profiles) as u (profile) order by 1) as p;
end
$$;
comment on function keepsake.lock_merges(uuid, text[]) is 'Takes the merge lock of each profile, in the order of their ids, until the transaction ends.';
grant execute on function keepsake.lock_merges(uuid, text[]) to service_role;

-- Readiness asks whether the schema is older than the code: the history of migrations is the owner's, so a function answers.

create function keepsake.missing_migrations(versions text[]) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  return (
    select coalesce(array_agg(v.version order by v.version) filter (where h.version is null), '{}')
    from unnest(versions) as v (version)
    left join supabase_migrations.schema_migrations as h on h.version = v.version
    having count(h.version) > 0
  );
exception when insufficient_privilege then
  return '{}';
end
$$;
comment on function keepsake.missing_migrations(text[]) is 'The versions of these migrations that are not applied, in order; empty or null where the history does not say: somebody else applied them, or squashed them.';
grant execute on function keepsake.missing_migrations(text[]) to service_role;
