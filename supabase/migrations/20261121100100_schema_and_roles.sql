-- The private schema, and what the migrations themselves ask of the catalogue.

create schema keepsake;
comment on schema keepsake is 'Keepsake''s private side: operations, jobs, caches and indexes. Exposed to nobody.';
revoke all on schema keepsake from public, anon, authenticated;
grant usage on schema keepsake to service_role;

-- The role the functions log in with: it owns nothing, and becomes a person or the service for one transaction.
-- Roles belong to the whole cluster, so another database may have made it already.

do $$
declare
  becomes text;
  granted boolean;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'keepsake_api') then
    begin
      create role keepsake_api nologin noinherit nobypassrls;
      comment on role keepsake_api is 'The login of Keepsake''s functions: give it LOGIN and a password.';
    exception when duplicate_object or unique_violation then
      raise notice 'another database of this cluster has just made keepsake_api';
    end;
  end if;

  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setdatabase = 0 and setrole = 'keepsake_api'::regrole and 'search_path=keepsake' = any (setconfig)
  ) then
    alter role keepsake_api set search_path = keepsake;
  end if;

  foreach becomes in array array['authenticated', 'service_role'] loop
    select exists (
      select from pg_catalog.pg_auth_members as m
      where m.roleid = becomes::regrole and m.member = 'keepsake_api'::regrole
    ) into granted;
    continue when granted;
    begin
      if current_setting('server_version_num')::int >= 160000 then
        execute format('grant %I to keepsake_api with inherit false, set true', becomes);
      else
        execute format('grant %I to keepsake_api', becomes);
      end if;
    exception when insufficient_privilege then
      raise exception '% may not grant % to keepsake_api', current_user, becomes
        using hint = format('Run as a role with ADMIN OPTION on it, then migrate again: grant %I to keepsake_api;', becomes);
    end;
  end loop;
end
$$;

grant usage on schema keepsake to keepsake_api;
