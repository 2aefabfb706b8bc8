-- What was forgotten for good stays out of every summary: only hashes of its words are kept.

create table keepsake.forgotten_statements (
  id bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  words text[] not null,
  names text[] not null,
  forgotten_at timestamptz not null,
  primary key (user_id, id)
);
comment on table keepsake.forgotten_statements is 'What was forgotten for good, as hashes of the first letters of its words: sentences that state it are no source of a summary.';
alter table keepsake.forgotten_statements alter column words set statistics 0, alter column names set statistics 0;
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
create trigger keepsake_62_keep_forgotten_statements after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.keep_forgotten_statements();
