
create function chat_copies.name_author() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is null and {new_is_user} then
    new.user_id := {new_writer};
  end if;
  return new;
end $$;
create trigger name_author before insert on public.messages for each row execute function chat_copies.name_author();
update public.messages as m set user_id = {m_writer} where m.user_id is null and {m_is_user};
