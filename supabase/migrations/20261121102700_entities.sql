-- Entities: a row for each person, place, organization and project that a person's memories name.

create function keepsake.entity_slug(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return btrim(left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, NFKC)), '[^[:alnum:]\s_-]', '', 'g'), '[\s_-]+', '_', 'g'), '_'), 80), '_');
end
$$;
comment on function keepsake.entity_slug(text) is 'A name as it is written in a key: lower case, without punctuation, spaces and hyphens as underscores.';
revoke all on function keepsake.entity_slug(text) from public, anon, authenticated;
grant execute on function keepsake.entity_slug(text) to service_role;

create function keepsake.is_entity_key(key text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return key ~ '^(person|place|org|project):[^\s:|]{1,100}$' and keepsake.is_clean_text(key);
end
$$;
comment on function keepsake.is_entity_key(text) is 'Whether the text is a valid entity key: kind, colon, slug.';
revoke all on function keepsake.is_entity_key(text) from public, anon, authenticated;
grant execute on function keepsake.is_entity_key(text) to service_role;

create function keepsake.entity_names(key text, label text, aliases text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select distinct replace(n.slug, '_', ' ')
    from (
      select split_part(key, ':', 2) as slug
      union all select keepsake.entity_slug(u.name) from unnest(label || aliases) as u (name)
    ) as n
    where n.slug <> '' order by 1
  );
end
$$;
comment on function keepsake.entity_names(text, text, text[]) is 'All names of an entity in the form in which they are searched: lower case, without punctuation.';
revoke all on function keepsake.entity_names(text, text, text[]) from public, anon, authenticated;
grant execute on function keepsake.entity_names(text, text, text[]) to service_role;

create table public.user_memory_entities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_entities_key_form check (keepsake.is_entity_key(key)),
  kind text not null generated always as (split_part(key, ':', 1)) stored,
  label text not null
    constraint user_memory_entities_label check (char_length(label) <= 120 and label ~ '\S' and label !~ '[\t\n]'
      and keepsake.is_clean_text(label)),
  renamed boolean not null default false,
  aliases text[] not null default '{}'
    constraint user_memory_entities_aliases check (array_position(aliases, null) is null and cardinality(aliases) <= 50),
  names text[] not null generated always as (keepsake.entity_names(key, label, aliases)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_entities_owner unique (user_id, id),
  constraint user_memory_entities_key unique (user_id, profile_id, key),
  constraint user_memory_entities_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_entities is 'The people, places, organizations and projects a person''s memories are about.';
comment on column public.user_memory_entities.key is 'What the memories'' entity_refs say: person:john_doe.';
comment on column public.user_memory_entities.kind is 'person, place, org or project.';
comment on column public.user_memory_entities.label is 'What it is called where people read it.';
comment on column public.user_memory_entities.renamed is 'Whether the person chose the label.';
comment on column public.user_memory_entities.aliases is 'What else it is called, as the person confirmed.';
comment on column public.user_memory_entities.names is 'All its names in their plain form: a message that says one speaks of it.';

alter table public.user_memory_entities enable row level security;
alter table public.user_memory_entities force row level security;
revoke all on public.user_memory_entities from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_entities to service_role;
grant select on public.user_memory_entities to authenticated;
create policy "People see whom and what their memories are about" on public.user_memory_entities
  for select to authenticated using ((select auth.uid()) = user_id);
