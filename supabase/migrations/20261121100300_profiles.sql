-- The host's profiles: created when missing; otherwise only the columns and indexes that Keepsake needs are added.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

do $$
begin
  if to_regclass('public.user_profile_list') is not null then
    alter table public.user_profile_list
      add column if not exists name text,
      add column if not exists nickname text,
      add column if not exists pronouns text,
      add column if not exists is_primary boolean default false,
      add column if not exists timezone text,
      add column if not exists locale text,
      add column if not exists birth_chart jsonb;
    return;
  end if;

  create table public.user_profile_list (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
    name text,
    nickname text,
    pronouns text,
    is_primary boolean not null default false,
    timezone text,
    locale text,
    birth_chart jsonb,
    created_at timestamptz not null default now()
  );
  comment on table public.user_profile_list is 'A person''s profiles; memory is made only for the primary one.';
  comment on column public.user_profile_list.timezone is 'IANA name, as Europe/Berlin; anything else counts as UTC.';

  alter table public.user_profile_list enable row level security;
  alter table public.user_profile_list force row level security;
  revoke all on public.user_profile_list from public, anon, authenticated, service_role;
  grant select, insert, update, delete on public.user_profile_list to service_role;
  grant select, delete on public.user_profile_list to authenticated;
  grant insert (id, user_id, name, nickname, pronouns, is_primary, timezone, locale, birth_chart)
    on public.user_profile_list to authenticated;
  grant update (name, nickname, pronouns, is_primary, timezone, locale, birth_chart)
    on public.user_profile_list to authenticated;

  create policy "People see their own profiles" on public.user_profile_list
    for select to authenticated using ((select auth.uid()) = user_id);
  create policy "People make profiles of their own" on public.user_profile_list
    for insert to authenticated with check ((select auth.uid()) = user_id);
  create policy "People change their own profiles" on public.user_profile_list
    for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
  create policy "People delete their own profiles" on public.user_profile_list
    for delete to authenticated using ((select auth.uid()) = user_id);
end
$$;

do $$
begin
  if not keepsake.has_unique_key('public.user_profile_list', array['user_id', 'id']) then
    create unique index user_profile_list_owner on public.user_profile_list (user_id, id);
    comment on index public.user_profile_list_owner is 'The target of foreign keys that carry the owner with the profile.';
  end if;
  if not exists (
    select from pg_catalog.pg_index as i
    join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = 'public.user_profile_list'::regclass and i.indisunique and i.indnkeyatts = 1
      and a.attname = 'user_id' and pg_catalog.pg_get_expr(i.indpred, i.indrelid) ~ '\yis_primary\y'
  ) then
    create unique index user_profile_list_primary on public.user_profile_list (user_id) where is_primary;
    comment on index public.user_profile_list_primary is 'One primary profile a person.';
  end if;
end
$$;
