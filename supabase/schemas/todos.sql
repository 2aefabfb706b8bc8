-- To-dos: what a person wants to do, keeps doing, waits for or is stuck with. One row a to-do; opened and closed by what
-- the person says, and edited by the person. They belong to the persona that the person spoke with.

create table public.user_memory_todos (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  kind text not null
    constraint user_memory_todos_kind check (kind in ('commitment', 'habit', 'thread', 'friction')),
  todo_text text not null
    constraint user_memory_todos_text check (char_length(todo_text) between 1 and 500 and todo_text ~ '\S'
      and todo_text !~ '[\t\n]' and keepsake.is_clean_text(todo_text)),
  status text not null default 'open'
    constraint user_memory_todos_status check (status in ('open', 'done', 'dropped')),
  due_date date,
  source text not null default 'rule_extraction'
    constraint user_memory_todos_source check (source in ('llm_extraction', 'rule_extraction', 'user', 'import')),
  source_quote text
    constraint user_memory_todos_quote check (char_length(source_quote) <= 500 and keepsake.is_clean_text(source_quote)),
  conversation_id uuid,
  source_message_id uuid,
  closed_by_message_id uuid,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_todos_closed check ((status = 'open') = (closed_at is null)),
  primary key (user_id, id),
  constraint user_memory_todos_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_todos_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete set null (conversation_id),
  constraint user_memory_todos_message foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (source_message_id),
  constraint user_memory_todos_closing_message foreign key (user_id, closed_by_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (closed_by_message_id)
);
create index user_memory_todos_open on public.user_memory_todos (user_id, profile_id, persona_id, opened_at desc)
  where status = 'open';
create index user_memory_todos_profile on public.user_memory_todos (user_id, profile_id);
create index user_memory_todos_conversation on public.user_memory_todos (user_id, conversation_id);
create index user_memory_todos_message on public.user_memory_todos (user_id, source_message_id);
create index user_memory_todos_closing_message on public.user_memory_todos (user_id, closed_by_message_id);
comment on table public.user_memory_todos is 'What a person wants to do, keeps doing, waits for or is stuck with.';
comment on column public.user_memory_todos.kind is 'commitment, habit, thread (waits for something or is undecided) or friction.';
comment on column public.user_memory_todos.persona_id is 'The persona that the person said it to; no other one is told.';
comment on column public.user_memory_todos.status is 'open, done, or dropped: no longer wanted.';
comment on column public.user_memory_todos.due_date is 'The last day that the person named for it.';
comment on column public.user_memory_todos.source_quote is 'The words it is based on.';
comment on column public.user_memory_todos.closed_by_message_id is 'The message that said it was done, or no longer wanted.';
comment on index public.user_memory_todos_open is 'The open to-dos of a persona, newest first.';

alter table public.user_memory_todos
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column persona_id set statistics 0, alter column kind set statistics 0,
  alter column todo_text set statistics 0, alter column status set statistics 0, alter column source set statistics 0,
  alter column source_quote set statistics 0, alter column conversation_id set statistics 0,
  alter column source_message_id set statistics 0, alter column closed_by_message_id set statistics 0;

alter table public.user_memory_todos enable row level security, force row level security;
revoke all on public.user_memory_todos from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_todos to service_role;
grant select on public.user_memory_todos to authenticated;
grant update (todo_text, kind, status, due_date) on public.user_memory_todos to authenticated;
create policy "People see their own to-dos" on public.user_memory_todos
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People change their own to-dos" on public.user_memory_todos
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);

create function keepsake.normalize_todo() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and current_user <> 'authenticated' then
    return new;
  end if;
  if current_user = 'authenticated' then
    new.source := 'user';
    new.updated_at := now();
  end if;
  if new.status = 'open' then
    new.closed_at := null;
    new.closed_by_message_id := null;
  elsif old.status = 'open' then
    new.closed_at := greatest(coalesce(new.closed_at, now()), new.opened_at);
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_todo() is 'Sets the time at which a to-do was closed, and the source user on a person''s own edit.';
create trigger keepsake_05_normalize before update on public.user_memory_todos
  for each row when (old.* is distinct from new.*) execute function keepsake.normalize_todo();
create function keepsake.clean_todo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.todo_text := keepsake.clean_text(new.todo_text);
  return new;
end
$$;
comment on function keepsake.clean_todo() is 'Cleans the text of a to-do.';
create trigger keepsake_03_clean before update of todo_text on public.user_memory_todos
  for each row execute function keepsake.clean_todo();
create trigger keepsake_50_log after insert or update or delete on public.user_memory_todos
  for each row execute function keepsake.log_change('user_memory_todos');

create function keepsake.forget_todo(todo uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a to-do');
  touched bigint;
begin
  delete from public.user_memory_todos as t where t.id = forget_todo.todo and t.user_id = (select auth.uid());
  get diagnostics touched = row_count;
  if touched = 0 then
    raise exception using errcode = 'PT404', message = 'There is no such to-do, or it is not yours.';
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_todo(uuid) is 'Forgets a to-do of the caller.';
grant execute on function keepsake.forget_todo(uuid) to authenticated;

create function public.forget_todo(todo uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_todo(todo);
end;
comment on function public.forget_todo(uuid) is 'Forget one of your to-dos; it can be undone for 30 days.';
revoke all on function public.forget_todo(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_todo(uuid) to authenticated;
