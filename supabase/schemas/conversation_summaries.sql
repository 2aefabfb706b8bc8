-- The summary of a conversation: who wrote it, what it rests on and the version before; and the conversations that wait
-- for theirs.

create table keepsake.due_conversations (
  conversation_id uuid primary key references keepsake_chats.conversations (id) on delete cascade,
  due_at timestamptz not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz
);
create index due_conversations_due on keepsake.due_conversations (due_at);
comment on table keepsake.due_conversations is 'The conversations whose summary is to be written, or written again.';
comment on column keepsake.due_conversations.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
grant select, insert, update, delete on keepsake.due_conversations to service_role;

-- A forgotten, restored or erased memory appends its conversations, and if it was repeated those with a message that
-- repeated it: of its conversation nobody is waited for. `run-due-jobs` removes their summaries and has them written again.
create table keepsake.conversation_marks (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references keepsake_chats.conversations (id) on delete cascade
);
create index conversation_marks_conversation on keepsake.conversation_marks (conversation_id);
comment on table keepsake.conversation_marks is 'Conversations of memories that were forgotten, restored or erased: nobody reads their summary until it is written again.';
grant select, insert, update, delete on keepsake.conversation_marks to service_role;

create function keepsake.mark_conversations_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.conversation_marks (conversation_id)
  select c.id from keepsake_chats.conversations as c
  where c.id = old.conversation_id or (old.reference_count > 0 and c.id in (
    select e.conversation_id from keepsake.extractions as e
    where e.user_id = old.user_id and e.results @> jsonb_build_array(jsonb_build_object('memory_id', old.id::text))
  ));
  return null;
end
$$;
comment on function keepsake.mark_conversations_of_changed() is 'A forgotten, restored or erased memory has the summaries of its conversations written again.';
create trigger keepsake_60_mark_conversations after update on public.user_memory
  for each row when ((old.status = 'deleted') is distinct from (new.status = 'deleted'))
  execute function keepsake.mark_conversations_of_changed();
create trigger keepsake_60_mark_conversations_of_deleted after delete on public.user_memory
  for each row execute function keepsake.mark_conversations_of_changed();

-- What a conversation was about while only its person read it has their feelings and sensitive topics. Whoever joins may
-- read the summary, so it goes before they can, and is written again for several readers.

create function keepsake.drop_summary_for_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from keepsake_chats.conversations as c where c.id = new.conversation_id and c.user_id is distinct from new.user_id
  ) then
    return null;
  end if;
  delete from keepsake_chats.conversation_summaries as s
  where s.conversation_id = new.conversation_id and s.generator is not null;
  -- A job that is writing one has not seen who joins: nobody reads it until run-due-jobs has removed it.
  insert into keepsake.conversation_marks (conversation_id) values (new.conversation_id);
  return null;
end
$$;
comment on function keepsake.drop_summary_for_joining() is 'Deletes the summary of a conversation that somebody else joins, and has it written again for several readers.';
create trigger keepsake_60_drop_summary_for_joining after insert on keepsake_chats.conversations_participants
  for each row execute function keepsake.drop_summary_for_joining();
