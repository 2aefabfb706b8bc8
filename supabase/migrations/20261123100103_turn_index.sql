-- Each message gets the number of its turn in the conversation, unless the host writes one: a person's message begins a
-- turn, the answers belong to it. One message is read for it, so that it costs the same in long conversations.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.number_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  latest integer;
begin
  select m.turn_index into latest from public.messages as m
  where m.conversation_id = new.conversation_id order by m.created_at desc limit 1;
  if found and latest is null then  -- written before there were numbers: counted once
    select count(*) into latest from public.messages as m
    where m.conversation_id = new.conversation_id and m.role::text = 'user';
  end if;
  new.turn_index := coalesce(latest, 0) + (new.role::text = 'user')::integer;
  return new;
end
$$;
comment on function keepsake.number_turn() is 'Numbers the turns of a conversation where the host does not.';
revoke all on function keepsake.number_turn() from public, anon, authenticated;
create trigger keepsake_05_number_turn before insert on public.messages
  for each row when (new.turn_index is null) execute function keepsake.number_turn();
