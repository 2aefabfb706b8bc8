-- Summaries are written from what was said: when each message that was read was said and under which profile, what may no
-- longer be told of it, and for each text the messages that it rests on.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table keepsake.extractions
  add column if not exists profile_id uuid,
  add column if not exists said_at timestamptz;
comment on column keepsake.extractions.said_at is 'When the message was said; with profile_id where summaries may be written from it.';
update keepsake.extractions as e set profile_id = p.profile_id, said_at = m.created_at
from public.messages as m
join public.conversations_participants as p on p.conversation_id = m.conversation_id and p.user_id = m.user_id
where m.id = e.source_message_id and m.conversation_id = e.conversation_id and p.profile_id is not null
  and (e.status = 'extracted' or e.reason = 'language');
create index if not exists extractions_said on keepsake.extractions (user_id, profile_id, said_at) where said_at is not null;
comment on index keepsake.extractions_said is 'Finds what a person said in a period.';

create table keepsake.forgotten_statements (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  words text[] not null,
  names text[] not null,
  forgotten_at timestamptz not null
);
create index forgotten_statements_person on keepsake.forgotten_statements (user_id);
comment on table keepsake.forgotten_statements is 'What was forgotten for good, as hashes of the first letters of its words: sentences that state it are no source of a summary.';
revoke all on keepsake.forgotten_statements from public, anon, authenticated;
grant select, insert, delete on keepsake.forgotten_statements to service_role;

create function keepsake.word_hashes(person uuid, txt text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct md5(person::text || left(w.word, 5))), '{}')
  from regexp_split_to_table(
    translate(coalesce(txt, ''), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ“”‘’«»…–—', 'abcdefghijklmnopqrstuvwxyz         '),
    '[^0-9a-z\u0080-\U0010ffff]+') as w (word)
  where length(w.word) > 2
$$;
comment on function keepsake.word_hashes(uuid, text) is 'The words of a text as hashes that say nothing without the person: domain/summaries/left_out.py makes the same.';
revoke all on function keepsake.word_hashes(uuid, text) from public, anon, authenticated;
grant execute on function keepsake.word_hashes(uuid, text) to service_role;

create function keepsake.keep_forgotten_statements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.forgotten_statements (user_id, words, names, forgotten_at)
  select d.user_id, keepsake.word_hashes(d.user_id, d.memory_text), keepsake.word_hashes(d.user_id, d.entity_label),
    coalesce(d.deleted_at, now())
  from deleted as d join auth.users as u on u.id = d.user_id
  where d.source_message_id is not null;
  return null;
end
$$;
comment on function keepsake.keep_forgotten_statements() is 'Notes what a memory that is deleted for good stated, as hashes.';
revoke all on function keepsake.keep_forgotten_statements() from public, anon, authenticated;
create trigger keepsake_62_keep_forgotten_statements after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.keep_forgotten_statements();

do $$
declare
  of_table text;
begin
  foreach of_table in array array['user_memory_daily_summaries', 'user_memory_weekly_summaries', 'user_memory_monthly_summaries',
    'user_memory_history_summaries', 'user_memory_session_summaries', 'user_memory_session_state', 'user_memory_spine',
    'user_memory_yearly_comparisons'] loop
    execute format('alter table public.%I add column if not exists message_ids uuid[] not null default ''{}''', of_table);
    execute format('comment on column public.%I.message_ids is ''The messages that the text rests on.''', of_table);
  end loop;
  foreach of_table in array array['user_memory_daily_summaries', 'user_memory_weekly_summaries', 'user_memory_monthly_summaries'] loop
    execute format('alter table public.%I add column if not exists sources_hash text', of_table);
    execute format('comment on column public.%I.sources_hash is ''The same for the same words of the same messages: then the text stays.''', of_table);
  end loop;
end
$$;

select keepsake.disable_statistics('keepsake.forgotten_statements'::regclass, c.name) from unnest(array['words', 'names']) as c (name);
select keepsake.disable_statistics(t.name::regclass, 'sources_hash')
from unnest(array['public.user_memory_daily_summaries', 'public.user_memory_weekly_summaries', 'public.user_memory_monthly_summaries']) as t (name);
