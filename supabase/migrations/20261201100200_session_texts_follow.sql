-- The texts about sessions follow what they were written from: a memory that was edited, forgotten, restored or reserved for
-- a persona, and a to-do that was edited, done or dropped. They are deleted, and written again from what is so now.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.rewrite_session_texts(person uuid, ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  sessions uuid[];
begin
  -- The states first, as note_turn takes them.
  update public.user_memory_session_state as s
  set rolling_summary = '', outlines = '{}', source_ids = '{}', refresh_due_at = now()
  where s.user_id = person and s.source_ids && ids;
  with summaries as (
    delete from public.user_memory_session_summaries as s
    where s.user_id = person and s.source_ids && ids returning s.session_id
  )
  select array_agg(n.session_id) into sessions from summaries as n;
  update public.user_memory_sessions as s set summary_due_at = now()
  where s.user_id = person and s.id = any(sessions);
end
$$;
comment on function keepsake.rewrite_session_texts(uuid, uuid[]) is 'Deletes the texts about sessions that rest on these memories or to-dos, and lets them be written again.';
revoke all on function keepsake.rewrite_session_texts(uuid, uuid[]) from public, anon, authenticated;

create or replace function keepsake.delete_session_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    perform keepsake.rewrite_session_texts(person, ids);
  end loop;
  return null;
end
$$;

create function keepsake.rewrite_session_texts_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.rewrite_session_texts(new.user_id, array[new.id]);
  return null;
end
$$;
comment on function keepsake.rewrite_session_texts_of_changed() is 'Lets the texts about sessions be written again that rest on a memory or to-do that says something else now, or nothing.';
revoke all on function keepsake.rewrite_session_texts_of_changed() from public, anon, authenticated;
create trigger keepsake_60_rewrite_session_texts after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.persona_id is distinct from new.persona_id
    or (old.status <> 'deleted' and new.status = 'deleted'))
  execute function keepsake.rewrite_session_texts_of_changed();
create trigger keepsake_60_rewrite_session_texts after update on public.user_memory_todos
  for each row when (old.todo_text is distinct from new.todo_text or old.status is distinct from new.status)
  execute function keepsake.rewrite_session_texts_of_changed();

-- A restored memory is in no text: the session in which it was said is summarized again.
create function keepsake.rewrite_session_of_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.user_memory_session_state as s set refresh_due_at = now()
  where s.user_id = new.user_id and s.profile_id = new.profile_id and s.generator is not null;
  update public.user_memory_sessions as s set summary_due_at = now()
  where s.user_id = new.user_id and s.profile_id = new.profile_id and s.ended_at is not null
    and coalesce(new.restated_at, new.valid_from) between s.started_at and s.last_activity_at;
  return null;
end
$$;
comment on function keepsake.rewrite_session_of_restored() is 'Lets the texts about sessions be written again in which a restored memory was said.';
revoke all on function keepsake.rewrite_session_of_restored() from public, anon, authenticated;
create trigger keepsake_60_rewrite_session_of_restored after update on public.user_memory
  for each row when (old.status = 'deleted' and new.status <> 'deleted')
  execute function keepsake.rewrite_session_of_restored();
