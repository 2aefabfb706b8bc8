-- Numbers no turn whose conversation is not known yet. Where the application computes `conversation_id` from a column of its
-- own, Postgres does so after this trigger: every turn was the first of its conversation.

create or replace function keepsake.number_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  latest integer;
begin
  if new.conversation_id is null then
    return new;
  end if;
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
comment on function keepsake.number_turn() is 'Numbers the turns of a conversation where the host does not, and where their conversation is known before they are written.';
