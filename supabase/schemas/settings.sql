-- A person's settings, which are their consent; no row means the defaults. A person writes their own row.

create table public.user_memory_settings (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  building boolean not null default true,
  enabled boolean not null default true,
  allowed_types public.memory_type[] not null default '{fact,emotion,goal,pattern,relationship}'
    constraint user_memory_settings_types check (array_position(allowed_types, null) is null),
  retention_days jsonb not null default '{}'
    constraint user_memory_settings_retention check (
      jsonb_typeof(retention_days) = 'object'
      and retention_days - '{fact,emotion,goal,pattern,relationship}'::text[] = '{}'
      and not jsonb_path_exists(retention_days, '$.* ? (@.type() != "number" || @ < 1 || @ > 36500 || @.floor() != @)')
    ),
  long_term boolean not null default false,
  every_chat boolean not null default false,
  onboarding_seen_at timestamptz,
  erased_before timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_settings_types_length check (cardinality(allowed_types) <= 20),
  constraint user_memory_settings_retention_length check (octet_length(retention_days::text) <= 1000)
);
comment on table public.user_memory_settings is 'What a person allows Keepsake to do; no row means the defaults.';
comment on column public.user_memory_settings.building is 'False pauses: nothing new is remembered, what is known still helps.';
comment on column public.user_memory_settings.enabled is 'False turns memory off: nothing is remembered and nothing is used.';
comment on column public.user_memory_settings.retention_days is 'Days to keep a memory, by type: {"emotion": 30}.';
comment on column public.user_memory_settings.long_term is 'Keep old memories that nobody asks for.';
comment on column public.user_memory_settings.every_chat is 'Whether memory is used in every chat of the person, also in one that the application has not saved yet.';
comment on column public.user_memory_settings.erased_before is 'Nothing said before this is ever read again.';

create index user_memory_settings_retention on public.user_memory_settings (user_id) where retention_days <> '{}';
comment on index public.user_memory_settings_retention is 'The people who limit how long some types of memory are kept.';

alter table public.user_memory_settings enable row level security, force row level security;
revoke all on public.user_memory_settings from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_settings to service_role;
grant select on public.user_memory_settings to authenticated;
grant insert (user_id, building, enabled, allowed_types, retention_days, long_term, every_chat, onboarding_seen_at)
  on public.user_memory_settings to authenticated;
-- user_id too, because an upsert that names it sets it again. The policies allow only the person's own id.
grant update (user_id, building, enabled, allowed_types, retention_days, long_term, every_chat, onboarding_seen_at)
  on public.user_memory_settings to authenticated;
create policy "People see their own settings" on public.user_memory_settings
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People make their own settings" on public.user_memory_settings
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own settings" on public.user_memory_settings
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);

create function keepsake.set_settings_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function keepsake.set_settings_updated_at() is 'Sets updated_at when a setting changes.';
create trigger keepsake_05_set_updated_at before update on public.user_memory_settings
  for each row when (old.* is distinct from new.*) execute function keepsake.set_settings_updated_at();

-- A PATCH finds no row of somebody who never changed a setting, and PostgREST calls that a success: they would believe
-- that memory is paused. No trigger can make the row in time, as the statement does not see what was written after it began.
create function keepsake.refuse_change_of_no_settings() returns trigger
language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null and not exists (select from public.user_memory_settings as s where s.user_id = auth.uid()) then
    raise exception using errcode = 'PT400', message = 'You have no settings yet, so nothing was changed.',
      hint = 'Send an upsert: POST with "Prefer: resolution=merge-duplicates".';
  end if;
  return null;
end
$$;
comment on function keepsake.refuse_change_of_no_settings() is 'Tells a person who changes settings before there is a row that nothing was changed, and how to make one.';
create trigger keepsake_90_refuse_change_of_no_settings after update on public.user_memory_settings
  for each statement when (current_setting('role', true) = 'authenticated')
  execute function keepsake.refuse_change_of_no_settings();
