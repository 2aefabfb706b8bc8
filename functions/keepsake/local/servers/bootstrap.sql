-- What Supabase itself brings to a project, laid on an empty database so that migrations find what they find there.
-- For the embedded server and for tests only, as superuser; every statement may run again.

-- Roles belong to the whole cluster: made once, and left alone wherever they already are.
do $$
begin
  if not exists (select from pg_roles where rolname = 'supabase_owner') then
    -- Supabase's `postgres`, which migrations run as: it may do much, but it is no superuser.
    create role supabase_owner login nosuperuser createdb createrole replication bypassrls;
    alter role supabase_owner set search_path = "$user", public, extensions;

    create role supabase_auth_admin nologin noinherit createrole;

    create role anon nologin inherit;
    create role authenticated nologin inherit;
    create role service_role nologin inherit bypassrls;
    alter role anon set statement_timeout = '3s';
    alter role authenticated set statement_timeout = '8s';

    -- What PostgREST logs in as; it can do nothing until it becomes one of the three.
    create role authenticator login noinherit;
    alter role authenticator set statement_timeout = '8s';
    alter role authenticator set lock_timeout = '8s';
    grant anon, authenticated, service_role to authenticator;

    grant anon, authenticated, service_role, authenticator to supabase_owner with admin option;
    grant pg_monitor, pg_signal_backend to supabase_owner with admin option;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another bootstrap of this cluster was faster
end
$$;

-- The owner of the database owns its schema `public` too.
do $$
begin
  execute format('alter database %I owner to supabase_owner', current_database());
end
$$;

grant usage on schema public to supabase_owner, anon, authenticated, service_role;

create schema if not exists extensions authorization supabase_owner;
grant usage on schema extensions to anon, authenticated, service_role;
-- Supabase lets the owner create this extension; a plain server lets only a superuser.
do $$
begin
  if exists (select from pg_available_extensions where name = 'vector') then
    create extension if not exists vector with schema extensions;
  end if;
end
$$;

-- Supabase Auth: the columns of its table of users that a project may read or point at.
create schema if not exists auth authorization supabase_auth_admin;
grant usage on schema auth to supabase_owner, anon, authenticated, service_role;

create table if not exists auth.users (
  instance_id uuid,
  id uuid not null primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text default null unique,
  phone_confirmed_at timestamptz,
  banned_until timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create unique index if not exists users_email_partial_key on auth.users (email) where not is_sso_user;
alter table auth.users owner to supabase_auth_admin;
alter table auth.users enable row level security;
grant all on auth.users to supabase_owner with grant option;

-- Outside a request the settings are absent, and after one on a pooled connection they are empty.
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;

create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

alter function auth.uid() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.email() owner to supabase_auth_admin;
alter function auth.jwt() owner to supabase_auth_admin;

-- PostgREST reads the schema anew after every change to it.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  notify pgrst, 'reload schema';
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to supabase_owner;
  end if;
end
$$;
