-- All messages of a chat are JSON in its row. What is new, other or gone in the list is new, changed or gone in the copies.
create function chat_copies.list_of(history jsonb) returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  messages constant jsonb := history -> 'messages';
begin
  return case when jsonb_typeof(messages) = 'array' then messages when jsonb_typeof(history) = 'array' then history else '[]' end;
end $$;

create function chat_copies.time_of(said jsonb) returns timestamptz language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
begin
  return case
    when jsonb_typeof(said) = 'number' then to_timestamp(said::numeric / case when said::numeric > 1e11 then 1000 else 1 end)
    when said #>> '{}' ~ '^\d{4}-\d\d-\d\d' then (said #>> '{}')::timestamptz
  end;
exception when data_exception then
  return null;  -- no time: then what is known of the chat decides
end $$;

-- A message without an id of its own is named by its place, from 0; an id that is no UUID counts within its chat. One that is
-- marked as deleted is nobody's, so that it is not copied, and its copy goes.
create function chat_copies.messages_of(chat_key text, places integer[], elements jsonb[])
returns table (id uuid, place integer, element jsonb, role text, content text, said_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select distinct on (own.id) own.id, e.place, e.element, case when not m.is_marked then {element_role} end, left({element_text}, 250000), chat_copies.time_of({element_time})
    from unnest(places, elements) as e (place, element)
    cross join lateral (select case when e.element ->> 'id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.element ->> 'id')::uuid
      else md5('messages ' || chat_key || ' ' || coalesce(e.element ->> 'id', e.place::text))::uuid end as id) as own
    cross join lateral (select coalesce(bool_or(e.element -> k.name not in ('null', 'false', '0', '""')), false) as is_marked
      from unnest(array[{marks}]) as k (name)) as m
    where jsonb_typeof(e.element) = 'object'
    order by own.id, e.place;
end $$;

create function chat_copies.messages_of(chat_key text, list jsonb)
returns table (id uuid, place integer, element jsonb, role text, content text, said_at timestamptz) language sql stable set search_path = '' as $$
  select m.* from (select array_agg(e.place::integer - 1) as places, array_agg(e.element) as elements
    from jsonb_array_elements(list) with ordinality as e (element, place)) as l
  cross join lateral chat_copies.messages_of(chat_key, l.places, l.elements) as m
$$;

create view chat_copies.messages as
select m.id, {c_chat_id} as chat_id, m.role, m.content, coalesce(m.said_at, r.began_at + m.place * interval '1 microsecond') as created_at
from {chats} as c
cross join lateral (select coalesce(chat_copies.time_of(to_jsonb(c) -> 'createdAt'), chat_copies.time_of(to_jsonb(c) -> 'created_at'),
  chat_copies.time_of({c_history} -> 'createdAt')) as began_at) as r
cross join lateral chat_copies.messages_of(c.{chat_id}::text, chat_copies.list_of({c_history})) as m;
comment on view chat_copies.messages is 'The messages in the rows of chats; one without a time was said when its chat began, as far as is known.';
revoke all on chat_copies.messages from public, anon, authenticated;

-- What stands as it stood at its place needs nothing. What stood in the list before the owner agreed has no copy, and gets none when it is
-- moved or changed.
create function chat_copies.put_messages(chat uuid, chat_key text, was jsonb, list jsonb) returns void language plpgsql security definer set search_path = '' as $$
declare
  old_places integer[];
  old_elements jsonb[];
  places integer[];
  elements jsonb[];
  unread_ids uuid[];
  unread_elements jsonb[];
begin
  select array_agg(w.place - 1) filter (where w.element is not null), array_agg(w.element) filter (where w.element is not null),
    array_agg(n.place - 1) filter (where n.element is not null), array_agg(n.element) filter (where n.element is not null)
  into old_places, old_elements, places, elements
  from jsonb_array_elements(was) with ordinality as w (element, place)
  full join jsonb_array_elements(list) with ordinality as n (element, place) on n.place = w.place
  where w.element is distinct from n.element;
  if old_places is not null then
    select array_agg(w.id), array_agg(w.element) into unread_ids, unread_elements
    from chat_copies.messages_of(chat_key, old_places, old_elements) as w
    where not exists (select from keepsake_chats.messages as k where k.id = w.id and k.conversation_id = chat);
    delete from keepsake_chats.messages as k using chat_copies.messages_of(chat_key, old_places, old_elements) as w
    where k.id = w.id and k.conversation_id = chat and not exists (
      select from chat_copies.messages_of(chat_key, places, elements) as m
      where m.id = k.id and case when k.role::text = 'user' then {m_is_user} else {m_is_assistant} end
        and not exists (select from unnest(unread_elements) as u (element) where u.element = m.element));
  end if;
  insert into keepsake_chats.messages as k (id, conversation_id, user_id, role, content, created_at)
  select m.id, c.id, case when {m_is_user} then c.user_id end, case when {m_is_user} then 'user' else 'assistant' end,
    m.content, coalesce(m.said_at, clock_timestamp() + m.place * interval '1 microsecond')
  from chat_copies.messages_of(chat_key, places, elements) as m
  join keepsake_chats.conversations as c on c.id = chat and c.profile_id is not null
  where ({m_is_user} or {m_is_assistant}) and not exists (select from unnest(unread_ids) as u (id) where u.id = m.id)
    and not exists (select from unnest(unread_elements) as u (element) where u.element = m.element)
  order by m.place
  on conflict (id) do update set content = excluded.content
    where k.conversation_id = excluded.conversation_id and k.content is distinct from excluded.content;
end $$;
revoke all on function chat_copies.put_messages(uuid, text, jsonb, jsonb) from public, anon, authenticated;

create function chat_copies.copy_history() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform chat_copies.put_messages({new_chat_id}, new.{chat_id}::text, chat_copies.list_of({old_history}), chat_copies.list_of({new_history}));
  return null;
exception when others then
  perform chat_copies.note_failure('message', new.{chat_id}::text, sqlstate);
  return null;
end $$;
create trigger copy_history after insert or update of {history} on {chats} for each row execute function chat_copies.copy_history();

-- Copies the rest of a list anew: what follows the last copy, or all of it where the chat began after the owner agreed.
create function chat_copies.repair_message(id text) returns void language plpgsql security definer set search_path = '' as $$
declare
  chat constant uuid := {chat_of_list};
  list constant jsonb := (select chat_copies.list_of({c_history}) from {chats} as c where c.{chat_id}::text = repair_message.id);
  skipped integer;
begin
  if list is null then
    return;  -- the chat is gone, and its copies with it
  end if;
  delete from keepsake_chats.messages as k where k.conversation_id = chat and not exists (
    select from chat_copies.messages_of(repair_message.id, list) as m
    where m.id = k.id and case when k.role::text = 'user' then {m_is_user} else {m_is_assistant} end);
  update keepsake_chats.messages as k set content = m.content from chat_copies.messages_of(repair_message.id, list) as m
  where k.id = m.id and k.conversation_id = chat and k.content is distinct from m.content;
  skipped := coalesce(
    (select max(m.place) + 1 from chat_copies.messages_of(repair_message.id, list) as m join keepsake_chats.messages as k on k.id = m.id and k.conversation_id = chat),
    (select count(*) from chat_copies.messages as m join keepsake_chats.conversations_participants as p on p.conversation_id = chat
      where m.chat_id = chat and (m.created_at >= p.remember_since) is not true));
  perform chat_copies.put_messages(chat, repair_message.id,
    (select coalesce(jsonb_agg(e.element order by e.place), '[]') from jsonb_array_elements(list) with ordinality as e (element, place) where e.place <= skipped), list);
end $$;
revoke all on function chat_copies.repair_message(text) from public, anon, authenticated;

