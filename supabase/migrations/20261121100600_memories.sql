-- The memories: one statement a row, with its provenance (source, quote, message) and its state. Deleting sets a
-- status (soft delete) that can be undone for 30 days; the row itself is removed later, or at once by an erasure (hard
-- delete).

create type public.memory_type as enum ('fact', 'emotion', 'goal', 'pattern', 'relationship');
comment on type public.memory_type is 'What kind of thing a memory is.';

create function keepsake.is_clean_text(txt text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select txt !~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\U000E0000-\U000E01EF]'
$$;
comment on function keepsake.is_clean_text(text) is 'Whether the text is free of control, bidi, line separator, tag and variation selector characters (as FORBIDDEN_CHARACTERS of domain/text.py); tab and newline pass.';
revoke all on function keepsake.is_clean_text(text) from public, anon, authenticated;
grant execute on function keepsake.is_clean_text(text) to authenticated, service_role;

create function keepsake.comparable_text(txt text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select rtrim(btrim(regexp_replace(lower(txt), '\s+', ' ', 'g')), ' .!')
$$;
comment on function keepsake.comparable_text(text) is 'The text in lower case, with single spaces and without a final full stop: duplicates are found by comparing it.';
revoke all on function keepsake.comparable_text(text) from public, anon, authenticated;
grant execute on function keepsake.comparable_text(text) to authenticated, service_role;

create table public.user_memory (
  id uuid primary key default gen_random_uuid(),
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
  constraint user_memory_pinned check (importance = 3 or not pinned),
  constraint user_memory_deleted check ((status = 'deleted') = (deleted_at is not null)),
  constraint user_memory_owner unique (user_id, id),
  constraint user_memory_number unique (user_id, memory_no),
  constraint user_memory_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_conversation foreign key (conversation_id, user_id)
    references public.conversations_participants (conversation_id, user_id) on delete set null (conversation_id),
  constraint user_memory_source_message foreign key (user_id, source_message_id)
    references public.messages (user_id, id) on delete set null (source_message_id),
  constraint user_memory_supersedes foreign key (user_id, supersedes_id)
    references public.user_memory (user_id, id) on delete set null (supersedes_id),
  constraint user_memory_folded_into foreign key (user_id, folded_into)
    references public.user_memory (user_id, id) on delete set null (folded_into)
) with (fillfactor = 85);

-- No index contains reference_count or last_referenced_at: counting a use stays a heap-only (HOT) update.
create unique index user_memory_one_active on public.user_memory (user_id, profile_id, persona_id, memory_key)
  nulls not distinct where status = 'active' and memory_key is not null;
create index user_memory_current on public.user_memory (user_id, profile_id, status, created_at desc);
create index user_memory_newest on public.user_memory (user_id, created_at desc);
create index user_memory_of_conversation on public.user_memory (conversation_id, user_id);
create index user_memory_of_message on public.user_memory (user_id, source_message_id);
create index user_memory_superseded_by on public.user_memory (user_id, supersedes_id);
create index user_memory_expiring on public.user_memory (expires_at) where status = 'active' and expires_at is not null;
create index user_memory_deleted_long_ago on public.user_memory (deleted_at) where status = 'deleted';
-- What selection reads for every message: its time does not grow with the number of other memories.
create index user_memory_foremost on public.user_memory (user_id, profile_id)
  where status = 'active' and (importance >= 2 or memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns'));
create index user_memory_core on public.user_memory
  (user_id, profile_id, pinned desc, importance desc, valid_from desc, memory_no desc)
  where status = 'active' and importance >= 2 and (pinned or subtype = 'preference');
create index user_memory_identity on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns');
create index user_memory_keys on public.user_memory (user_id, profile_id, memory_key text_pattern_ops)
  where status = 'active' and memory_key is not null;
create index user_memory_without_key on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key is null;
create index user_memory_aging on public.user_memory (created_at, id) where status = 'active' and not pinned;
create index user_memory_folded_into on public.user_memory (user_id, folded_into) where folded_into is not null;
create index user_memory_folded_keys on public.user_memory (user_id, profile_id, memory_key text_pattern_ops)
  where status = 'archived' and folded_into is not null;
create index user_memory_same_words on public.user_memory
  (user_id, hashtextextended(keepsake.comparable_text(memory_text), 0));
-- Without statistics: a first ANALYZE of an almost empty table would record that all texts are equal.
alter index public.user_memory_same_words alter column 2 set statistics 0;

comment on table public.user_memory is 'What is remembered about a person, one statement a row. Current: status is active, and expires_at is null or still to come.';
comment on column public.user_memory.memory_no is 'The person''s own running number, never used again: people see M-143.';
comment on column public.user_memory.memory_key is 'What the statement is about; two current ones of one key cannot stand.';
comment on column public.user_memory.value is 'What it says about its key.';
comment on column public.user_memory.source_quote is 'The person''s own words it rests on.';
comment on column public.user_memory.persona_id is 'The persona it is for; null means every one.';
comment on column public.user_memory.folded_into is 'The fold that replaced this memory and others like it; this row is archived until the fold opens.';
comment on index public.user_memory_one_active is 'At most one current statement about a thing.';
comment on index public.user_memory_foremost is 'The memories that entity cards are built from; counting a use does not touch it.';
comment on index public.user_memory_core is 'Pins and core preferences in the order in which they are shown.';
comment on index public.user_memory_identity is 'Who the person is.';
comment on index public.user_memory_keys is 'Finds current statements by the prefix of their key.';
comment on index public.user_memory_without_key is 'Current statements without a key: they can only be compared by their words.';
comment on index public.user_memory_aging is 'What may be archived, oldest first; counting a use does not touch it.';
comment on index public.user_memory_folded_keys is 'Finds folded memories by the prefix of their key.';
comment on index public.user_memory_same_words is 'Finds duplicates of an imported row.';

alter table public.user_memory enable row level security;
alter table public.user_memory force row level security;
revoke all on public.user_memory from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory to service_role;
grant select on public.user_memory to authenticated;
grant update (memory_text, pinned, importance, expires_at) on public.user_memory to authenticated;
create policy "People see their own memories" on public.user_memory
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People edit their own memories" on public.user_memory
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
