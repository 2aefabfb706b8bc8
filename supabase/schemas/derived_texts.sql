-- The texts about sessions follow what they were written from: a memory that was edited, forgotten, restored or reserved for
-- a persona, and a to-do that was edited, done or dropped. They are deleted, and written again from what is so now. The
-- persona for which a memory is reserved goes on reading the texts of its sessions; no other is told of them.

create function keepsake.rewrite_session_texts(person uuid, ids uuid[], newest_only boolean default false) returns void
language plpgsql set search_path = '' set enable_nestloop = off as $$
declare
  found_ids uuid[];
begin
  -- The states first, as note_turn takes them.
  select array_agg(distinct w.id) into found_ids from public.user_memory_session_state as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person;
  update public.user_memory_session_state as s
  set rolling_summary = '', outlines = '{}', source_ids = '{}', refresh_due_at = now()
  where s.user_id = person and s.id = any(found_ids);
  select array_agg(distinct w.session_id) into found_ids from public.user_memory_session_summaries as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person and not (newest_only and exists (
    select from public.user_memory_session_summaries as n
    where n.user_id = w.user_id and n.profile_id = w.profile_id and n.persona_id is not distinct from w.persona_id
      and n.ended_at > w.ended_at
  ));
  delete from public.user_memory_session_summaries as s where s.user_id = person and s.session_id = any(found_ids);
  update public.user_memory_sessions as s set summary_due_at = now() where s.user_id = person and s.id = any(found_ids);
end
$$;
comment on function keepsake.rewrite_session_texts(uuid, uuid[], boolean) is 'Deletes the texts about sessions that rest on these memories or to-dos, or of each persona the newest, and lets them be written again.';

create function keepsake.rewrite_session_texts_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  says_the_same boolean := new.todo_text = old.todo_text;
begin
  perform keepsake.rewrite_session_texts(new.user_id, array[new.id], newest_only => says_the_same);
  if says_the_same and new.status <> 'open' then  -- what was said in an earlier session stays as it was written
    update public.user_memory_session_summaries as s
    set commitments = array_remove(s.commitments, new.todo_text), open_loops = array_remove(s.open_loops, new.todo_text)
    where s.user_id = new.user_id and s.source_ids @> array[new.id];
  end if;
  return null;
end
$$;
comment on function keepsake.rewrite_session_texts_of_changed() is 'Lets the texts about sessions be written again that rest on a to-do that says something else now; where it is only done or dropped, the newest, and earlier sessions list it no more.';
create trigger keepsake_60_rewrite_session_texts after update on public.user_memory_todos
  for each row when (old.todo_text is distinct from new.todo_text or old.status is distinct from new.status)
  execute function keepsake.rewrite_session_texts_of_changed();

create function keepsake.delete_session_texts() returns trigger
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
comment on function keepsake.delete_session_texts() is 'Deletes the texts about sessions that rest on deleted rows, and lets them be written again.';
create trigger keepsake_60_delete_session_texts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_session_texts();
create trigger keepsake_60_delete_session_texts after delete on public.user_memory_todos
  referencing old table as deleted for each statement execute function keepsake.delete_session_texts();

-- Forgetting many memories costs little a row: the texts that rest on them are found once a statement, not once a memory.

create function keepsake.drop_texts_of_forgotten(person uuid, ids uuid[]) returns void
language plpgsql set search_path = '' set enable_nestloop = off as $$
declare
  found_ids uuid[];
begin
  select array_agg(distinct w.id) into found_ids from public.user_memory_history_summaries as w
  cross join lateral unnest(w.memory_ids::text[] || array(select p.id from jsonb_array_elements_text(w.previous -> 'memory_ids') as p (id))) as i (id)
  join unnest(ids::text[]) as g (id) on g.id = i.id
  where w.user_id = person;
  delete from public.user_memory_history_summaries as s where s.user_id = person and s.id = any(found_ids);
  select array_agg(distinct w.id) into found_ids from public.user_memory_spine as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person;
  -- The job that writes the rolling summary of a persona also writes the spine.
  update public.user_memory_session_state as s set refresh_due_at = now()
  where s.user_id = person and s.id in (
    select distinct on (n.profile_id) n.id from public.user_memory_session_state as n
    where n.user_id = person and n.profile_id in (select d.profile_id from public.user_memory_spine as d where d.user_id = person and d.id = any(found_ids))
    order by n.profile_id, n.last_interaction desc
  );
  delete from public.user_memory_spine as s where s.user_id = person and s.id = any(found_ids);
end
$$;
comment on function keepsake.drop_texts_of_forgotten(uuid, uuid[]) is 'Deletes the histories and the versions of the spine that rest on memories that are forgotten, and lets the spine be written again.';

create function keepsake.follow_changed_memories() returns trigger
language plpgsql security definer set search_path = '' set enable_hashjoin = on as $$
declare
  person uuid;
  changed uuid[];
  forgotten uuid[];
  restored uuid[];
begin
  for person, changed, forgotten, restored in
    select a.user_id, array_agg(a.id) filter (where not (b.status = 'deleted' and a.status <> 'deleted')),
      array_agg(a.id) filter (where b.status <> 'deleted' and a.status = 'deleted'),
      array_agg(a.id) filter (where b.status = 'deleted' and a.status <> 'deleted')
    from before as b join after as a on a.id = b.id
    where b.memory_text is distinct from a.memory_text or (b.status = 'deleted') <> (a.status = 'deleted')
    group by a.user_id
  loop
    if changed is not null then
      perform keepsake.rewrite_session_texts(person, changed);
    end if;
    if forgotten is not null then
      perform keepsake.drop_texts_of_forgotten(person, forgotten);
    end if;
    if restored is not null then  -- a restored memory is in no text: the session in which it was said is summarized again
      update public.user_memory_session_state as s set refresh_due_at = now()
      where s.user_id = person and s.generator is not null
        and s.profile_id in (select r.profile_id from after as r where r.id = any(restored));
      update public.user_memory_sessions as s set summary_due_at = now()
      where s.user_id = person and s.ended_at is not null and exists (
        select from after as r where r.id = any(restored) and r.profile_id = s.profile_id
          and coalesce(r.restated_at, r.valid_from) between s.started_at and s.last_activity_at
      );
    end if;
  end loop;
  return null;
end
$$;
comment on function keepsake.follow_changed_memories() is 'Lets the texts be written again that rest on memories that were edited, forgotten or restored.';
create trigger keepsake_60_follow_changed after update on public.user_memory
  referencing old table as before new table as after for each statement execute function keepsake.follow_changed_memories();
