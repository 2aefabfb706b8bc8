create function chat_copies.put_chat(c {chats}) returns void language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  if c.{owner} is not null and not {c_is_deleted} then
    person := {c_owner};{add_person}
  end if;
  delete from keepsake_chats.conversations as k where k.id = {c_chat_id} and k.user_id is distinct from person;
  insert into keepsake_chats.conversations (id, user_id, title, profile_id)
  select {c_chat_id}, u.id, {c_title}, (select p.id from keepsake_chats.user_profile_list as p where p.user_id = u.id and p.is_primary)
  from auth.users as u where u.id = person
  on conflict (id) do update set title = excluded.title;
end $$;
revoke all on function chat_copies.put_chat({chats}) from public, anon, authenticated;

create function chat_copies.copy_chat() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform chat_copies.put_chat(new);
  return null;
exception when others then
  perform chat_copies.note_failure('chat', new.{chat_id}::text, sqlstate);
  return null;
end $$;
create trigger copy_chat after insert or update of {watched} on {chats} for each row execute function chat_copies.copy_chat();

create function chat_copies.delete_chat() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake_chats.conversations where id = {old_chat_id};
  return null;
exception when others then
  perform chat_copies.note_failure('chat', old.{chat_id}::text, sqlstate);
  return null;
end $$;
create trigger delete_chat_copy after delete on {chats} for each row execute function chat_copies.delete_chat();

create function chat_copies.truncate_chats() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake_chats.conversations;
  return null;
exception when others then
  raise warning 'the copies of what was truncated stay: %', sqlerrm;
  return null;
end $$;
create trigger truncate_chat_copies after truncate on {chats} for each statement execute function chat_copies.truncate_chats();

create function chat_copies.repair_chat(id text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from {chats} as c where c.{chat_id}::text = repair_chat.id) then
    perform chat_copies.put_chat(c) from {chats} as c where c.{chat_id}::text = repair_chat.id;
  else
    delete from keepsake_chats.conversations as k where k.id = {chat_of_text};
  end if;
end $$;
revoke all on function chat_copies.repair_chat(text) from public, anon, authenticated;

-- The chats that exist already, so that new messages in them are copied too.{add_people}
insert into keepsake_chats.conversations (id, user_id, title)
select {c_chat_id}, u.id, {c_title} from {chats} as c join auth.users as u on u.id = {c_owner}
where not {c_is_deleted} on conflict do nothing;

