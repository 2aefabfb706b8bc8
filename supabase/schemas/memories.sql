-- The memories: one statement a row, with its provenance (source, quote, message) and its state. Deleting sets a
-- status (soft delete) that can be undone for 30 days; the row itself is removed later, or at once by an erasure (hard
-- delete). A memory outlives its conversation and its message: where they are deleted, conversation_id and source_message_id
-- become null. It goes with its profile and with its person. A person writes four columns of it, and all else through functions.

create type public.memory_type as enum ('fact', 'emotion', 'goal', 'pattern', 'relationship');
comment on type public.memory_type is 'What kind of thing a memory is.';

-- Without names of this schema in its body: whoever writes a past memory fills the index, also its person.
create function keepsake.past_terms(
  profile uuid, words tsvector, memory_key text, entity_refs text[], memory_type public.memory_type, subtype text
) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select profile::text || t.term from unnest(tsvector_to_array(words) || entity_refs
      || array(select '|' || k.part from unnest(string_to_array(memory_key, '|')) as k (part))
      || array[memory_key, 'type:' || memory_type, 'subtype:' || subtype,
        case when split_part(memory_key, '|', 3) not in ('', 'self') then 'about:others' end]) as t (term)
    where t.term is not null
  );
end
$$;
comment on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) is 'What a past memory is found by, each term prefixed with the profile: its words, entities, key, parts of the key, and kinds.';
grant execute on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) to authenticated, service_role;

create table public.user_memory (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  conversation_id uuid,
  source_message_id uuid,
  turn_index integer,
  memory_text text not null
    constraint user_memory_text_length check (char_length(memory_text) <= 500 and memory_text ~ '\S')
    constraint user_memory_text_clean check (keepsake.is_clean_text(memory_text) and memory_text !~ '[\t\n]'),
  memory_type public.memory_type not null,
  confidence_score numeric(4, 3) not null default 0.800
    constraint user_memory_confidence check (confidence_score between 0 and 1),
  astrological_context jsonb
    constraint user_memory_astrological_context check (jsonb_typeof(astrological_context) = 'object'),
  origin_mode text,
  created_at timestamptz not null default now(),
  last_referenced_at timestamptz,
  reference_count smallint not null default 0
    constraint user_memory_reference_count check (reference_count >= 0),
  status text not null default 'active'
    constraint user_memory_status check (status in ('active', 'superseded', 'archived', 'expired', 'deleted')),
  is_active boolean not null generated always as (status = 'active') stored,
  deleted_at timestamptz,
  memory_no bigint not null,
  subtype text not null default 'other'
    constraint user_memory_subtype check (subtype in
      ('identity', 'preference', 'habit', 'friction', 'relationship', 'possession', 'event', 'feeling', 'other')),
  entity_type text,
  memory_key text constraint user_memory_key_length check (char_length(memory_key) between 1 and 300),
  value text constraint user_memory_value_length check (char_length(value) <= 500),
  importance smallint not null default 1 constraint user_memory_importance check (importance between 0 and 3),
  pinned boolean not null default false,
  entity_refs text[] not null default '{}'
    constraint user_memory_entity_refs check (array_position(entity_refs, null) is null),
  entity_label text,
  persona_id text,
  language text not null default 'en'
    constraint user_memory_language check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$'),
  source text not null default 'rule_extraction'
    constraint user_memory_source check (source in ('llm_extraction', 'rule_extraction', 'user', 'agent_tool',
      'import', 'seeded_profile', 'curated_fold')),
  source_quote text
    constraint user_memory_quote check (char_length(source_quote) <= 2000 and keepsake.is_clean_text(source_quote)),
  supersedes_id uuid,
  valid_from timestamptz not null default now(),
  valid_to timestamptz,
  -- A date that every client can parse: no infinity, no year after 9999 or before 1.
  expires_at timestamptz constraint user_memory_expires_at check (
    expires_at > timestamptz '0001-01-03 00:00:00+00' and expires_at < timestamptz '9999-12-29 00:00:00+00'
  ),
  archived_at timestamptz,
  updated_at timestamptz not null default now(),
  folded_into uuid,
  doubted_at timestamptz,
  restated_at timestamptz,
  period text constraint user_memory_period check (period ~ '^\d{4}(-\d\d(-\d\d)?)?(/\d{4}(-\d\d(-\d\d)?)?)?$'),
  constraint user_memory_pinned check (importance = 3 or not pinned),
  constraint user_memory_deleted check ((status = 'deleted') = (deleted_at is not null)),
  primary key (user_id, id),
  constraint user_memory_number unique (user_id, memory_no),
  constraint user_memory_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete set null (conversation_id),
  constraint user_memory_source_message foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (source_message_id),
  constraint user_memory_supersedes foreign key (user_id, supersedes_id)
    references public.user_memory (user_id, id) on delete set null (supersedes_id),
  constraint user_memory_folded_into foreign key (user_id, folded_into)
    references public.user_memory (user_id, id) on delete set null (folded_into)
) with (fillfactor = 85);

-- No index contains reference_count or last_referenced_at: counting a use stays a heap-only (HOT) update.
create unique index user_memory_one_active on public.user_memory (user_id, profile_id, memory_key, persona_id)
  nulls not distinct where status = 'active' and memory_key is not null;
create index user_memory_id on public.user_memory (id);
create index user_memory_current on public.user_memory (user_id, profile_id, status, created_at desc);
create index user_memory_newest on public.user_memory (user_id, created_at desc);
create index user_memory_of_conversation on public.user_memory (user_id, conversation_id);
create index user_memory_of_message on public.user_memory (user_id, source_message_id);
create index user_memory_superseded_by on public.user_memory (user_id, supersedes_id);
create index user_memory_expiring on public.user_memory (expires_at) where status = 'active' and expires_at is not null;
create index user_memory_deleted_long_ago on public.user_memory (deleted_at) where status = 'deleted';
-- What selection reads for every message: its time does not grow with the number of other memories. The planner has no
-- statistics of owners, and takes the smallest of the indexes that lead with one: so each search has an index that holds
-- nothing else, which is taken at any size of the table.
create index user_memory_foremost on public.user_memory (user_id, profile_id)
  where status = 'active' and (importance >= 2 or memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns'));
create index user_memory_core on public.user_memory
  (user_id, profile_id, pinned desc, importance desc, valid_from desc, memory_no desc)
  where status = 'active' and importance >= 3;
create index user_memory_introduction on public.user_memory
  (user_id, profile_id, memory_type, importance desc, created_at desc, memory_no desc)
  where status = 'active' and memory_type in ('goal', 'relationship');
create index user_memory_identity on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns',
      'fact|person|self|answer_language', 'fact|person|self|answer_length', 'fact|person|self|answer_format',
      'fact|person|self|answer_tone', 'fact|person|self|answer_units', 'fact|person|self|answer_address',
      'fact|person|self|answer_level');
-- Extraction looks memories up by the beginnings of their keys. With the person in a condition of its own, the planner,
-- which has no statistics of owners, often took another index that leads with the person, and read all of their memories
-- for each beginning. Profile and key are one expression, which only this index has, and no other partial index follows
-- from its condition.
create index user_memory_keys on public.user_memory ((profile_id::text || memory_key) text_pattern_ops)
  where status is not distinct from 'active' and memory_key is not null;
create index user_memory_without_key on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key is null;
create index user_memory_aging on public.user_memory (created_at, id) where status = 'active' and not pinned;
create index user_memory_folded_into on public.user_memory (user_id, folded_into) where folded_into is not null;
create index user_memory_folded_keys on public.user_memory (user_id, profile_id, memory_key text_pattern_ops)
  where status = 'archived' and folded_into is not null;
-- Leads with the words: beginning with user_id it was chosen for any search by user_id.
create index user_memory_same_words on public.user_memory
  (hashtextextended(keepsake.comparable_text(memory_text), 0), user_id);
create index user_memory_of_persona on public.user_memory (user_id, profile_id, persona_id)
  where status = 'active' and memory_key is not null and persona_id is not null;
create index user_memory_of_entities on public.user_memory using gin (keepsake.profile_terms(profile_id, entity_refs))
  with (fastupdate = off) where status = 'active' and importance >= 2;
grant execute on function keepsake.profile_terms(uuid, text[]) to authenticated;
-- "Forget X" looks for past memories too, of which there may be any number.
create index user_memory_past on public.user_memory using gin (keepsake.past_terms(
  profile_id, to_tsvector(keepsake.text_search_config(language), memory_text), memory_key, entity_refs, memory_type, subtype
)) with (fastupdate = off) where status in ('superseded', 'archived', 'expired');

-- An index on an expression has samples of its own.
alter index public.user_memory_same_words alter column 1 set statistics 0;
alter index public.user_memory_keys alter column 1 set statistics 0;
alter index public.user_memory_of_entities alter column 1 set statistics 0;
alter index public.user_memory_past alter column 1 set statistics 0;

comment on table public.user_memory is 'What is remembered about a person, one statement a row. Current: status is active, and expires_at is null or still to come.';
comment on column public.user_memory.memory_no is 'The person''s own running number, never used again: people see M-143.';
comment on column public.user_memory.memory_key is 'What the statement is about; two current ones of one key cannot stand.';
comment on column public.user_memory.value is 'What it says about its key.';
comment on column public.user_memory.source_quote is 'The person''s own words it rests on.';
comment on column public.user_memory.persona_id is 'The persona it is for; null means every one.';
comment on column public.user_memory.folded_into is 'The fold that replaced this memory and others like it; this row is archived until the fold opens.';
comment on column public.user_memory.doubted_at is 'Since when it may no longer hold; null means it does. The person confirms or ends it.';
comment on column public.user_memory.valid_from is 'Since when it holds: when the person said it first.';
comment on column public.user_memory.restated_at is 'When the person last said it again; null where they said it once.';
comment on column public.user_memory.period is 'The day, month, year or days that it is about, in ISO 8601: 2026-12-04, 2027-03, 2026-03-20/2026-03-25; null where it names none.';
comment on index public.user_memory_one_active is 'At most one current statement about a thing.';
comment on index public.user_memory_foremost is 'The memories that entity cards are built from; counting a use does not touch it.';
comment on index public.user_memory_core is 'Pins and what must not be missed, in the order in which they are shown.';
comment on index public.user_memory_introduction is 'Goals and people of a profile, the most important first.';
comment on index public.user_memory_identity is 'Who the person is, and how they want to be answered.';
comment on index public.user_memory_keys is 'Finds current statements of a profile by the prefix of their key.';
comment on index public.user_memory_without_key is 'Current statements without a key: they can only be compared by their words.';
comment on index public.user_memory_aging is 'What may be archived, oldest first; counting a use does not touch it.';
comment on index public.user_memory_folded_keys is 'Finds folded memories by the prefix of their key.';
comment on index public.user_memory_same_words is 'Finds duplicates of an imported row.';
comment on index public.user_memory_of_persona is 'What only one persona knows: it replaces what every persona knows.';
comment on index public.user_memory_of_entities is 'Finds the important memories of a profile about an entity.';
comment on index public.user_memory_past is 'Finds the past memories of a profile by their words, entities, keys and kinds.';

-- ANALYZE stores samples of column values, where an erasure cannot delete them: none of a column with a person's words. And
-- PostgREST answers `Prefer: count=planned` with the planner's estimate, which knows how often a value occurs in rows of
-- others too: none of a column that tells whose a row is or what it belongs to, in any table that people read. The planner
-- then expects the same number of rows for everybody. Every table that follows does the same.
alter table public.user_memory
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column conversation_id set statistics 0, alter column source_message_id set statistics 0,
  alter column memory_text set statistics 0, alter column astrological_context set statistics 0,
  alter column memory_key set statistics 0, alter column value set statistics 0,
  alter column entity_refs set statistics 0, alter column entity_label set statistics 0,
  alter column source_quote set statistics 0, alter column supersedes_id set statistics 0,
  alter column folded_into set statistics 0, alter column restated_at set statistics 0,
  alter column period set statistics 0;

alter table public.user_memory enable row level security, force row level security;
revoke all on public.user_memory from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory to service_role;
grant select on public.user_memory to authenticated;
grant update (memory_text, pinned, importance, expires_at) on public.user_memory to authenticated;
create policy "People see their own memories" on public.user_memory
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People edit their own memories" on public.user_memory
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);

-- Triggers that keep a memory consistent whoever writes it: its number, importance, state dates, a person's own edit.
-- The prefix of a trigger's name is its place in the order. Undo and imports set keepsake.raw_write and skip them.

create function keepsake.normalize_memory() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_edit boolean := current_user = 'authenticated';
begin
  if current_setting('keepsake.raw_write', true) = 'on' and not is_edit then
    return new;
  end if;
  if new.pinned then
    new.importance := 3;
  end if;
  new.deleted_at := case when new.status = 'deleted' then coalesce(new.deleted_at, now()) end;
  new.archived_at := case when new.status = 'archived' then coalesce(new.archived_at, now())
    when new.status <> 'active' then new.archived_at end;
  if tg_op = 'INSERT' then
    return new;
  end if;

  if is_edit and new.memory_text <> old.memory_text then
    -- The person's own wording: what was derived from the old text is cleared, and so is the doubt about it.
    new.confidence_score := 1.0;
    new.source := 'user';
    new.memory_key := null;
    new.value := null;
    new.period := null;
    new.source_quote := null;
    new.doubted_at := null;
  end if;
  if new.updated_at = old.updated_at and to_jsonb(new) - 'is_active' <> to_jsonb(old) - 'is_active' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_memory() is 'A pinned memory has importance 3, each state has its date, and a person''s own edit has source user and confidence 1.';

create trigger keepsake_05_normalize_new before insert on public.user_memory
  for each row execute function keepsake.normalize_memory();
create trigger keepsake_05_normalize before update of memory_text, memory_type, subtype, confidence_score, status,
  memory_key, value, importance, pinned, expires_at, valid_from, valid_to, archived_at, deleted_at, persona_id, language,
  profile_id, doubted_at on public.user_memory
  for each row execute function keepsake.normalize_memory();

create function keepsake.clean_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.memory_text := keepsake.clean_text(new.memory_text);
  return new;
end
$$;
comment on function keepsake.clean_memory() is 'Cleans the text of a memory, whoever writes it.';
create trigger keepsake_03_clean_new before insert on public.user_memory
  for each row execute function keepsake.clean_memory();
create trigger keepsake_03_clean before update of memory_text on public.user_memory
  for each row execute function keepsake.clean_memory();

create function keepsake.assign_memory_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and new.memory_no is not null then
    return new;
  end if;
  insert into keepsake.counters as c (user_id, name, value) values (new.user_id, 'memory_no', 1)
    on conflict (user_id, name, period_start) do update set value = c.value + 1
    returning c.value into new.memory_no;
  return new;
end
$$;
comment on function keepsake.assign_memory_number() is 'Gives a new memory the next number of its person; numbers are never reused.';
create trigger keepsake_10_number before insert on public.user_memory
  for each row execute function keepsake.assign_memory_number();

create table keepsake.unpinned_importance (
  user_id uuid not null,
  memory_id uuid not null,
  importance smallint not null,
  primary key (user_id, memory_id),
  constraint unpinned_importance_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
comment on table keepsake.unpinned_importance is 'The importance that a memory had when it was pinned, which made it 3: unpinning gives it back.';
grant select, insert, update, delete on keepsake.unpinned_importance to service_role;

create function keepsake.restore_importance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' then
    return new;
  end if;
  if new.pinned then
    insert into keepsake.unpinned_importance as u (user_id, memory_id, importance) values (old.user_id, old.id, old.importance)
    on conflict (user_id, memory_id) do update set importance = excluded.importance;
  else
    new.importance := coalesce(
      (select u.importance from keepsake.unpinned_importance as u where u.user_id = old.user_id and u.memory_id = old.id),
      new.importance);
  end if;
  return new;
end
$$;
comment on function keepsake.restore_importance() is 'Notes the importance of a memory that is pinned, and gives it back when it is unpinned, unless the same update sets one.';
create trigger keepsake_06_restore_importance before update of pinned on public.user_memory
  for each row when (new.pinned <> old.pinned and (new.pinned or new.importance = old.importance))
  execute function keepsake.restore_importance();

create function keepsake.clear_expiry_on_pin() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.expires_at := null;
  end if;
  return new;
end
$$;
comment on function keepsake.clear_expiry_on_pin() is 'Pinning a memory removes its expiry, unless the same update sets one.';
create trigger keepsake_06_clear_expiry_on_pin before update of pinned on public.user_memory
  for each row when (new.pinned and not old.pinned and new.expires_at is not distinct from old.expires_at)
  execute function keepsake.clear_expiry_on_pin();
