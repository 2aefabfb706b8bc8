
create function chat_copies.choose_profile() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.profile_id is null then
    new.profile_id := (select p.id from public.user_profile_list as p where p.user_id = {new_owner} and p.is_primary);
  end if;
  return new;
end $$;
create trigger choose_profile before insert on public.{chats} for each row execute function chat_copies.choose_profile();
