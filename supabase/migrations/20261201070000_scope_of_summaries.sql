-- Texts that are made of memories follow a change of who may know them: which persona, and which types the person allows.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop trigger keepsake_60_mark_summaries on public.user_memory;
create trigger keepsake_60_mark_summaries after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.valid_from is distinct from new.valid_from
    or old.valid_to is distinct from new.valid_to or old.persona_id is distinct from new.persona_id
    or (old.status = 'deleted') is distinct from (new.status = 'deleted'))
  execute function keepsake.mark_summaries_of_changed();

drop trigger keepsake_61_delete_merged_context on public.user_memory;
create trigger keepsake_61_delete_merged_context after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.persona_id is distinct from new.persona_id)
  execute function keepsake.delete_merged_context_of_edit();
comment on function keepsake.delete_merged_context_of_edit() is 'Deletes the merged context that has the words of a memory from before it was edited or reserved for a persona.';

create function keepsake.mark_summaries_of_types() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowed_before public.memory_type[] := enum_range(null::public.memory_type);
begin
  if tg_op = 'UPDATE' then
    allowed_before := old.allowed_types;
  end if;
  -- By quarters of an hour, in which a day begins in every time zone: a person may have many memories.
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct m.user_id, m.profile_id, date_bin('15 minutes', d.moment, 'epoch')
  from public.user_memory as m cross join lateral unnest(array[m.valid_from, m.valid_to]) as d (moment)
  where m.user_id = new.user_id and m.status <> 'deleted'
    and (m.memory_type = any(allowed_before)) <> (m.memory_type = any(new.allowed_types)) and d.moment is not null and isfinite(d.moment);
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_types() is 'Summaries that rest on memories of a type that the person allows or forbids are due.';
revoke all on function keepsake.mark_summaries_of_types() from public, anon, authenticated;
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory_settings
  for each row when (not new.allowed_types @> enum_range(null::public.memory_type)) execute function keepsake.mark_summaries_of_types();
create trigger keepsake_60_mark_summaries after update on public.user_memory_settings
  for each row when (old.allowed_types is distinct from new.allowed_types) execute function keepsake.mark_summaries_of_types();
