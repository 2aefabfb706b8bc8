-- The first pause of a person waits, as every later one does, for the turn that is just being written. They have no row
-- of settings yet that could be held, so their parts in conversations are, which a writer of memories holds as well.

create function keepsake.wait_for_writers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.conversations_participants as p
  where p.user_id = new.user_id order by p.conversation_id for no key update;
  return new;
end
$$;
comment on function keepsake.wait_for_writers() is 'Waits until no memory of the person is being written; those that come after see what is chosen here.';
revoke all on function keepsake.wait_for_writers() from public, anon, authenticated;
create trigger keepsake_10_wait_for_writers before insert on public.user_memory_settings
  for each row execute function keepsake.wait_for_writers();
