
create function chat_copies.copy_chat() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := {new_owner};
begin{add_person}
  insert into public.conversations (id, user_id, title, profile_id)
  select {new_chat_id}, u.id, {new_title}, (select p.id from public.user_profile_list as p where p.user_id = u.id and p.is_primary)
  from auth.users as u where u.id = person
  on conflict (id) do update set title = excluded.title;
  return null;
end $$;
create trigger copy_chat after insert or update of {watched} on public.{chats}
  for each row when (new.{owner} is not null) execute function chat_copies.copy_chat();

create function chat_copies.delete_chat() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.conversations where id = {old_chat_id};
  return null;
end $$;
create trigger delete_chat_copy after delete on public.{chats} for each row execute function chat_copies.delete_chat();

-- The chats that exist already, so that new messages in them are copied too.{add_people}
insert into public.conversations (id, user_id, title)
select {c_chat_id}, u.id, {c_title} from public.{chats} as c join auth.users as u on u.id = {c_owner} on conflict do nothing;
