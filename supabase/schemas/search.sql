-- Full-text search: the lexemes of every active memory, in a private table that a trigger maintains in the memory's own
-- transaction. The inverted index holds terms prefixed with the profile, so its lookups do not grow with the table.

create table keepsake.memory_index (
  memory_id uuid not null,
  user_id uuid not null,
  profile_id uuid not null,
  lexemes tsvector not null,
  length integer not null,
  primary key (user_id, memory_id),
  constraint memory_index_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
-- Without a pending list, which every reader would have to scan.
create index memory_index_words on keepsake.memory_index
  using gin (keepsake.profile_terms(profile_id, tsvector_to_array(lexemes))) with (fastupdate = off);
create index memory_index_lengths on keepsake.memory_index (user_id, profile_id) include (length);
comment on table keepsake.memory_index is 'The lexemes of each active memory; selection and search read it.';
comment on column keepsake.memory_index.length is 'The number of words without stop words: the document length of BM25.';
comment on index keepsake.memory_index_words is 'Finds the memories of one profile that share a word with a message.';
comment on index keepsake.memory_index_lengths is 'The number and length of a profile''s memories, by an index-only scan.';
alter table keepsake.memory_index alter column lexemes set statistics 0;
alter index keepsake.memory_index_words alter column 1 set statistics 0;
grant select, insert, update, delete on keepsake.memory_index to service_role;

create function keepsake.index_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  words tsvector;
begin
  if new.status <> 'active' then
    delete from keepsake.memory_index where user_id = new.user_id and memory_id = new.id;
    return null;
  end if;
  words := to_tsvector(keepsake.text_search_config(new.language), new.memory_text);
  insert into keepsake.memory_index as i (memory_id, user_id, profile_id, lexemes, length)
  values (new.id, new.user_id, new.profile_id, words,
    (select coalesce(sum(cardinality(w.positions)), 0) from unnest(words) as w))
  on conflict (user_id, memory_id) do update
    set profile_id = excluded.profile_id, lexemes = excluded.lexemes, length = excluded.length;
  return null;
end
$$;
comment on function keepsake.index_memory() is 'Updates the lexemes of a memory with its text, language and status.';
create trigger keepsake_20_index after insert or update of memory_text, language, status, profile_id on public.user_memory
  for each row execute function keepsake.index_memory();

-- Full-text search over a person's current memories, and their totals by type, state and profile.

create function keepsake.search_user_memory(query text, types public.memory_type[], max_results integer)
returns setof public.user_memory
language plpgsql stable security definer set search_path = '' as $$
declare
  max_rows integer := least(greatest(coalesce(max_results, 20), 1), 100);
  prefix_query tsquery := (
    select to_tsquery('simple', string_agg(w.word || ':*', ' & '))
    from regexp_split_to_table(lower(query), '\W+') as w (word) where w.word <> ''
  );
begin
  return query
  with queries as materialized (
    select l.language, websearch_to_tsquery(keepsake.text_search_config(l.language), query) as query
    from (select distinct m.language from public.user_memory as m
      where m.user_id = (select auth.uid()) and m.status = 'active') as l
  )
  select m.*
  from keepsake.memory_index as i
  join public.user_memory as m on m.user_id = (select auth.uid()) and m.id = i.memory_id
  join queries as a on a.language = m.language
  where i.user_id = (select auth.uid()) and i.lexemes @@ a.query and m.status = 'active'
    and (m.expires_at is null or m.expires_at > now()) and (types is null or m.memory_type = any (types))
  order by ts_rank_cd(i.lexemes, a.query) desc, m.pinned desc, m.importance desc, m.created_at desc, m.memory_no
  limit max_rows;
  if found then
    return;
  end if;

  return query
  select m.* from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status = 'active'
    and (m.expires_at is null or m.expires_at > now()) and (types is null or m.memory_type = any (types))
    and to_tsvector('simple', m.memory_text) @@ prefix_query
  order by m.pinned desc, m.importance desc, m.created_at desc, m.memory_no
  limit max_rows;
end
$$;
comment on function keepsake.search_user_memory(text, public.memory_type[], integer) is 'The caller''s current memories that match the query, or else those with words that begin like its words.';
grant execute on function keepsake.search_user_memory(text, public.memory_type[], integer) to authenticated;

create function public.search_user_memory(query text, types public.memory_type[] default null, max_results integer default 20)
returns setof public.user_memory
language sql stable security invoker set search_path = ''
begin atomic
  -- At most the length of a memory: a longer query finds nothing more, and took seconds.
  select found from keepsake.search_user_memory(left(query, 500), types, max_results) as found;
end;
comment on function public.search_user_memory(text, public.memory_type[], integer) is 'Search your current memories, best first: "exact words", -without, or the beginnings of words.';
revoke all on function public.search_user_memory(text, public.memory_type[], integer) from public, anon, authenticated, service_role;
grant execute on function public.search_user_memory(text, public.memory_type[], integer) to authenticated;

create function keepsake.memory_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  with own as (
    select m.memory_type, m.profile_id, m.pinned, m.created_at,
      case when m.status = 'active' and m.expires_at <= now() then 'expired' else m.status end as status
    from public.user_memory as m
    where m.user_id = (select auth.uid())
  )
  select jsonb_build_object(
    'total', (select count(*) from own where status <> 'deleted'),
    'active', (select count(*) from own where status = 'active'),
    'pinned', (select count(*) from own where status = 'active' and pinned),
    'newest_at', (select max(created_at) from own where status = 'active'),
    'by_type', (select jsonb_object_agg(t.type, (select count(*) from own where status = 'active' and memory_type = t.type))
      from unnest(enum_range(null::public.memory_type)) as t (type)),
    'by_status', (select jsonb_object_agg(s.status, (select count(*) from own where own.status = s.status))
      from unnest('{active,superseded,archived,expired,deleted}'::text[]) as s (status)),
    'by_profile', (select coalesce(jsonb_object_agg(p.profile_id, p.count), '{}')
      from (select profile_id, count(*) from own where status = 'active' group by profile_id) as p),
    'settings', (
      select jsonb_build_object(
        'building', coalesce(s.building, true), 'enabled', coalesce(s.enabled, true),
        'allowed_types', to_jsonb(coalesce(s.allowed_types, enum_range(null::public.memory_type))),
        'retention_days', coalesce(s.retention_days, '{}'), 'long_term', coalesce(s.long_term, false),
        'onboarding_seen_at', s.onboarding_seen_at, 'erased_before', s.erased_before)
      from (select (select auth.uid()) as user_id) as me
      left join public.user_memory_settings as s on s.user_id = me.user_id
    )
  )
$$;
comment on function keepsake.memory_overview() is 'Totals of the caller''s memories, and their settings.';
grant execute on function keepsake.memory_overview() to authenticated;

create function public.memory_overview() returns jsonb
language sql stable security invoker set search_path = ''
begin atomic
  select keepsake.memory_overview();
end;
comment on function public.memory_overview() is 'How much is remembered of you, by type and state, and your settings.';
revoke all on function public.memory_overview() from public, anon, authenticated, service_role;
grant execute on function public.memory_overview() to authenticated;
