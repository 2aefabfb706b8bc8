
-- Only in chats whose owner agreed, and of people only the owner's: of nobody else is any text stored twice.
create function chat_copies.copy_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.messages (id, conversation_id, user_id, role, content, created_at)
  select {new_message_id}, c.id, case when {new_is_user} then c.user_id end, case when {new_is_user} then 'user' else 'assistant' end,
    {new_text}, {new_time}
  from public.conversations as c where c.id = {new_chat} and c.profile_id is not null
    and ({new_is_assistant} or {new_is_user} and {new_author} = c.user_id)
  on conflict (id) do update set content = excluded.content;
  return null;
end $$;
create trigger copy_message after insert or update of {text} on public.{messages}
  for each row execute function chat_copies.copy_message();

create function chat_copies.delete_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.messages where id = {old_message_id};
  return null;
end $$;
create trigger delete_message_copy after delete on public.{messages} for each row execute function chat_copies.delete_message();
