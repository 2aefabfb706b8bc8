
create function chat_copies.name_author() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is null and {new_is_user} then
    new.user_id := (select {c_owner} from public.{chats} as c where c.{chat_id} = new.{chat});
  end if;
  return new;
end $$;
create trigger name_author before insert on public.messages for each row execute function chat_copies.name_author();
update public.messages as m set user_id = {c_owner} from public.{chats} as c
where c.{chat_id} = m.{chat} and m.user_id is null and {m_is_user};
