-- What a conversation was about while only its person read it has their feelings and sensitive topics. Whoever joins may
-- read the summary, so it goes before they can, and is written again for several readers.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.drop_summary_for_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.conversations as c where c.id = new.conversation_id and c.user_id is distinct from new.user_id
  ) then
    return null;
  end if;
  delete from public.conversation_summaries as s
  where s.conversation_id = new.conversation_id and s.generator is not null;
  -- A job that is writing one has not seen who joins: nobody reads it until run-due-jobs has removed it.
  insert into keepsake.conversation_marks (conversation_id) values (new.conversation_id);
  return null;
end
$$;
comment on function keepsake.drop_summary_for_joining() is 'Deletes the summary of a conversation that somebody else joins, and has it written again for several readers.';
revoke all on function keepsake.drop_summary_for_joining() from public, anon, authenticated;
create trigger keepsake_60_drop_summary_for_joining after insert on public.conversations_participants
  for each row execute function keepsake.drop_summary_for_joining();
