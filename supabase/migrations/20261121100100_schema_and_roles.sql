-- The private schema, and the role that the deployed functions log in with. That role owns nothing; for one
-- transaction it becomes a person or the service. Roles belong to the whole cluster, so another database may have
-- created it already.

create schema keepsake;
comment on schema keepsake is 'Private tables and functions of Keepsake: operations, jobs, caches and indexes. Not exposed by any API.';
revoke all on schema keepsake from public, anon, authenticated;
grant usage on schema keepsake to service_role;

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
