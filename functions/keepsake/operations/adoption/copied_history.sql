-- All messages of a chat are JSON in its row. What is new, other or gone in the list is new, changed or gone in the copies.
create function chat_copies.list_of(history jsonb) returns jsonb language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(history) = 'array' then history when jsonb_typeof(history -> 'messages') = 'array' then history -> 'messages' else '[]' end
$$;

create function chat_copies.time_of(said jsonb) returns timestamptz language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
begin
  return case
    when jsonb_typeof(said) = 'number' then to_timestamp(said::numeric / case when said::numeric > 1e11 then 1000 else 1 end)
    when said #>> '{}' ~ '^\d{4}-\d\d-\d\d' then (said #>> '{}')::timestamptz
  end;
exception when data_exception then
  return null;  -- no time: then what is known of the chat decides
end $$;

-- A message without an id of its own is named by its place, from 0; an id that is no UUID counts within its chat.
create function chat_copies.messages_of(chat uuid, chat_key text, list jsonb, skipped integer default 0)
returns table (id uuid, place integer, element jsonb, role text, content text, said_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select distinct on (own.id) own.id, e.place::integer - 1, e.element, {element_role}, left({element_text}, 250000), chat_copies.time_of({element_time})
    from jsonb_array_elements(list) with ordinality as e (element, place)
    cross join lateral (select case when e.element ->> 'id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.element ->> 'id')::uuid
      else md5('messages ' || chat_key || ' ' || coalesce(e.element ->> 'id', (e.place - 1)::text))::uuid end as id) as own
    where e.place > skipped and jsonb_typeof(e.element) = 'object'
    order by own.id, e.place;
end $$;

create view chat_copies.messages as
select m.id, {c_chat_id} as chat_id, m.role, m.content, coalesce(m.said_at, r.began_at + m.place * interval '1 microsecond') as created_at
from public.{chats} as c
cross join lateral (select coalesce(chat_copies.time_of(to_jsonb(c) -> 'createdAt'), chat_copies.time_of(to_jsonb(c) -> 'created_at'),
  chat_copies.time_of(to_jsonb(c.{history}) -> 'createdAt')) as began_at) as r
cross join lateral chat_copies.messages_of({c_chat_id}, c.{chat_id}::text, chat_copies.list_of(to_jsonb(c.{history}))) as m;
comment on view chat_copies.messages is 'The messages in the rows of chats; one without a time was said when its chat began, as far as is known.';
revoke all on chat_copies.messages from public, anon, authenticated;

-- What stood in the list before the owner agreed has no copy, and gets none when it is moved or changed.
create function chat_copies.put_messages(chat uuid, chat_key text, was jsonb, list jsonb) returns void language plpgsql security definer set search_path = '' as $$
declare
  is_longer constant boolean := starts_with(list::text, left(was::text, -1));
  skipped constant integer := case when is_longer then jsonb_array_length(was) else 0 end;
  copied uuid[];
  allowed uuid[];
begin
  if not is_longer then
    copied := array(select k.id from keepsake_chats.messages as k where k.conversation_id = chat);
    allowed := array(select m.id from chat_copies.messages_of(chat, chat_key, list) as m where not exists (
      select from chat_copies.messages_of(chat, chat_key, was) as w where w.id <> all (copied) and (w.id = m.id or w.element = m.element)));
    delete from keepsake_chats.messages as k where k.conversation_id = chat and not exists (
      select from chat_copies.messages_of(chat, chat_key, list) as m
      where m.id = k.id and m.id = any (allowed) and case when k.role::text = 'user' then {m_is_user} else {m_is_assistant} end);
  end if;
  insert into keepsake_chats.messages as k (id, conversation_id, user_id, role, content, created_at)
  select m.id, c.id, case when {m_is_user} then c.user_id end, case when {m_is_user} then 'user' else 'assistant' end,
    m.content, coalesce(m.said_at, clock_timestamp() + m.place * interval '1 microsecond')
  from chat_copies.messages_of(chat, chat_key, list, skipped) as m
  join keepsake_chats.conversations as c on c.id = chat and c.profile_id is not null
  where ({m_is_user} or {m_is_assistant}) and (is_longer or m.id = any (allowed))
  order by m.place
  on conflict (id) do update set content = excluded.content
    where k.conversation_id = excluded.conversation_id and k.content is distinct from excluded.content;
end $$;
revoke all on function chat_copies.put_messages(uuid, text, jsonb, jsonb) from public, anon, authenticated;

create function chat_copies.copy_history() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform chat_copies.put_messages({new_chat_id}, new.{chat_id}::text, chat_copies.list_of(to_jsonb(old.{history})), chat_copies.list_of(to_jsonb(new.{history})));
  return null;
exception when others then
  perform chat_copies.note_failure('message', new.{chat_id}::text, sqlstate);
  return null;
end $$;
create trigger copy_history after insert or update of {history} on public.{chats} for each row execute function chat_copies.copy_history();

-- Copies the rest of a list anew: what follows the last copy, or all of it where the chat began after the owner agreed.
create function chat_copies.repair_message(id text) returns void language plpgsql security definer set search_path = '' as $$
declare
  chat constant uuid := {chat_of_list};
  list constant jsonb := (select chat_copies.list_of(to_jsonb(c.{history})) from public.{chats} as c where c.{chat_id}::text = repair_message.id);
  skipped integer;
begin
  if list is null then
    return;  -- the chat is gone, and its copies with it
  end if;
  delete from keepsake_chats.messages as k where k.conversation_id = chat and not exists (
    select from chat_copies.messages_of(chat, repair_message.id, list) as m
    where m.id = k.id and case when k.role::text = 'user' then {m_is_user} else {m_is_assistant} end);
  update keepsake_chats.messages as k set content = m.content from chat_copies.messages_of(chat, repair_message.id, list) as m
  where k.id = m.id and k.conversation_id = chat and k.content is distinct from m.content;
  skipped := coalesce(
    (select max(m.place) + 1 from chat_copies.messages_of(chat, repair_message.id, list) as m join keepsake_chats.messages as k on k.id = m.id and k.conversation_id = chat),
    (select count(*) from chat_copies.messages as m join keepsake_chats.conversations_participants as p on p.conversation_id = chat
      where m.chat_id = chat and (m.created_at >= p.remember_since) is not true));
  perform chat_copies.put_messages(chat, repair_message.id,
    (select coalesce(jsonb_agg(e.element order by e.place), '[]') from jsonb_array_elements(list) with ordinality as e (element, place) where e.place <= skipped), list);
end $$;
revoke all on function chat_copies.repair_message(text) from public, anon, authenticated;

