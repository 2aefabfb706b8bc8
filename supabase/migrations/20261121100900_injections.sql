-- The record of each context: which memories the model was given. Ids and counts only.

create table keepsake.injections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null,
  profile_id uuid,
  message_id uuid,
  answer_message_id uuid,
  memory_ids uuid[] not null default '{}',
  token_count integer not null default 0,
  memory_count integer not null default 0,
  variant text not null default 'treatment' constraint injections_variant check (variant in ('treatment', 'control')),
  reason text,
  helpfulness numeric(4, 3) constraint injections_helpfulness check (helpfulness between 0 and 1),
  created_at timestamptz not null default now(),
  constraint injections_conversation foreign key (conversation_id, user_id)
    references public.conversations_participants (conversation_id, user_id) on delete cascade,
  constraint injections_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete set null (profile_id),
  constraint injections_message foreign key (user_id, message_id)
    references public.messages (user_id, id) on delete set null (message_id),
  constraint injections_answer foreign key (conversation_id, answer_message_id)
    references public.messages (conversation_id, id) on delete set null (answer_message_id)
);
create index injections_newest on keepsake.injections (user_id, created_at desc);
create index injections_conversation on keepsake.injections (conversation_id, user_id, created_at);
create index injections_profile on keepsake.injections (user_id, profile_id);
create index injections_message on keepsake.injections (user_id, message_id);
create index injections_answer on keepsake.injections (conversation_id, answer_message_id);
create index injections_created on keepsake.injections (created_at);
comment on table keepsake.injections is 'Which memories each context contained, its tokens, and how helpful it was.';
comment on column keepsake.injections.variant is 'The arm of the experiment; control gets no memories, so that uplift can be measured.';

revoke all on keepsake.injections from public, anon, authenticated;
grant select, insert, update, delete on keepsake.injections to service_role;
