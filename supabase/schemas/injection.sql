-- The record of each context: which memories the model was given. Ids and counts only.

create table keepsake.injections (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null,
  profile_id uuid,
  message_id uuid,
  answer_message_id uuid,
  memory_ids uuid[] not null default '{}',
  summary_ids uuid[] not null default '{}',
  message_ids uuid[] not null default '{}',
  token_count integer not null default 0,
  memory_count integer not null default 0,
  variant text not null default 'treatment' constraint injections_variant check (variant in ('treatment', 'control')),
  reason text,
  helpfulness numeric(4, 3) constraint injections_helpfulness check (helpfulness between 0 and 1),
  created_at timestamptz not null default now(),
  vector_outcome text
    constraint injections_vector_outcome check (vector_outcome in ('used', 'deadline', 'unavailable')),
  primary key (user_id, id),
  constraint injections_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete cascade,
  constraint injections_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete set null (profile_id),
  constraint injections_message foreign key (user_id, message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (message_id),
  constraint injections_answer foreign key (conversation_id, answer_message_id)
    references keepsake_chats.messages (conversation_id, id) on delete set null (answer_message_id)
);
create index injections_newest on keepsake.injections (user_id, created_at desc);
create index injections_conversation on keepsake.injections (user_id, conversation_id, created_at);
create index injections_profile on keepsake.injections (user_id, profile_id);
create index injections_message on keepsake.injections (user_id, message_id);
create index injections_answer on keepsake.injections (conversation_id, answer_message_id);
create index injections_created on keepsake.injections (created_at);
comment on table keepsake.injections is 'Which memories each context contained, its tokens, and how helpful it was.';
comment on column keepsake.injections.summary_ids is 'The summaries of which each context contained something.';
comment on column keepsake.injections.message_ids is 'The messages that these summaries rest on.';
comment on column keepsake.injections.variant is 'The arm of the experiment; control gets no memories, so that uplift can be measured.';
comment on column keepsake.injections.vector_outcome is 'Whether the message was compared by its vector, or why not; null where vectors are off or no memories were searched for.';

grant select, insert, update, delete on keepsake.injections to service_role;

-- The merged context of a person: what holds, the current day and the history as one text of a model, made ahead of time.

create table keepsake.context_cache (
  user_id uuid not null,
  profile_id uuid not null,
  day date not null,
  context text not null
    constraint context_cache_text check (char_length(context) <= 1000 and keepsake.is_clean_text(context)),
  facts_hash text not null,
  day_hash text not null,
  history_hash text not null,
  fact_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  summary_ids uuid[] not null default '{}',
  message_ids uuid[] not null default '{}',
  prompt_version text,
  created_at timestamptz not null default now(),
  primary key (user_id, profile_id),
  constraint context_cache_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.context_cache is 'The merged context of each profile; as long as the three hashes are those of its inputs, it is not made again.';
comment on column keepsake.context_cache.day is 'The local date that was the current day.';
comment on column keepsake.context_cache.fact_ids is 'The memories that held: when one of them does not any more, the context is not shown.';
comment on column keepsake.context_cache.memory_ids is 'Every memory whose words may occur in it, the facts included.';
comment on column keepsake.context_cache.summary_ids is 'The day and the history that it merges.';
comment on column keepsake.context_cache.message_ids is 'The messages that the text rests on.';
alter table keepsake.context_cache
  alter column context set statistics 0, alter column facts_hash set statistics 0,
  alter column summary_ids set statistics 0, alter column message_ids set statistics 0, alter column day_hash set statistics 0, alter column history_hash set statistics 0,
  alter column prompt_version set statistics 0;
grant select, insert, update, delete on keepsake.context_cache to service_role;

create table keepsake.due_contexts (
  user_id uuid not null,
  profile_id uuid not null,
  due_at timestamptz not null,
  not_before timestamptz not null default 'epoch',
  is_changed boolean not null default false,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz,
  primary key (user_id, profile_id),
  constraint due_contexts_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index due_contexts_due on keepsake.due_contexts (due_at);
comment on table keepsake.due_contexts is 'The profiles whose current day, history and merged context are to be written again.';
comment on column keepsake.due_contexts.not_before is 'A change makes it due from then on only: an hour after the last time.';
comment on column keepsake.due_contexts.is_changed is 'Whether a memory changed after a job began to write.';
comment on column keepsake.due_contexts.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
comment on index keepsake.due_contexts_due is 'Finds what is due, whatever the number of profiles.';
grant select, insert, update, delete on keepsake.due_contexts to service_role;

create function keepsake.delete_merged_contexts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from keepsake.context_cache as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
create function keepsake.delete_merged_context_of_edit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.context_cache as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
comment on function keepsake.delete_merged_contexts() is 'Deletes the merged contexts that rest on deleted memories.';
comment on function keepsake.delete_merged_context_of_edit() is 'Deletes the merged context that has the words of a memory from before it was edited or reserved for a persona.';
create trigger keepsake_61_delete_merged_contexts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_merged_contexts();
create trigger keepsake_61_delete_merged_context after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.persona_id is distinct from new.persona_id)
  execute function keepsake.delete_merged_context_of_edit();
