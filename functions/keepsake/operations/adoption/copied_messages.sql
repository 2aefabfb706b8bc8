-- Only in chats whose owner agreed, and of people only of those who take part and agreed: of nobody else is any text stored twice.
create function chat_copies.put_message(m {messages}) returns void language plpgsql security definer
set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if {m_is_deleted} then
    delete from keepsake_chats.messages as k where k.id = {m_message_id};
    return;
  end if;
  insert into keepsake_chats.messages (id, conversation_id, user_id, role, content, created_at)
  select {m_message_id}, c.id, case when {m_is_user} then {m_author} end, case when {m_is_user} then 'user' else 'assistant' end,
    {m_text}, {m_time}
  from keepsake_chats.conversations as c where c.id = {m_chat} and c.profile_id is not null
    and ({m_is_assistant} or {m_is_user} and exists (
      select from keepsake_chats.conversations_participants as k
      where k.conversation_id = c.id and k.user_id = {m_author} and k.profile_id is not null))
  on conflict (id) do update set content = excluded.content;
end $$;
revoke all on function chat_copies.put_message({messages}) from public, anon, authenticated;

create function chat_copies.copy_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform chat_copies.put_message(new);
  return null;
exception when others then
  perform chat_copies.note_failure('message', new.{message_id}::text, sqlstate);
  return null;
end $$;
create trigger copy_message after insert or update of {watched_of_message} on {messages}
  for each row execute function chat_copies.copy_message();

create function chat_copies.delete_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake_chats.messages where id = {old_message_id};
  return null;
exception when others then
  perform chat_copies.note_failure('message', old.{message_id}::text, sqlstate);
  return null;
end $$;
create trigger delete_message_copy after delete on {messages} for each row execute function chat_copies.delete_message();

create function chat_copies.truncate_messages() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake_chats.messages;
  return null;
exception when others then
  raise warning 'the copies of what was truncated stay: %', sqlerrm;
  return null;
end $$;
create trigger truncate_message_copies after truncate on {messages} for each statement execute function chat_copies.truncate_messages();

create function chat_copies.repair_message(id text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from {messages} as m where m.{message_id}::text = repair_message.id) then
    perform chat_copies.put_message(m) from {messages} as m where m.{message_id}::text = repair_message.id;
  else
    delete from keepsake_chats.messages as k where k.id = {message_of_text};
  end if;
end $$;
revoke all on function chat_copies.repair_message(text) from public, anon, authenticated;

