-- What a person said, as far as summaries may be written from it.

-- name: said_between
-- The newest messages that a person said in a period, under a profile, with what each became, whether that was forgotten, and
-- the names of those who may be mentioned in it:
-- none of conversations that are not remembered, none that only one persona may know, and none at all of a person who does not
-- allow every type of memory, because nobody knows which of their sentences those are.
select m.id, m.conversation_id, e.said_at, left(m.content, %(max_length)s) as text, r.ids as memory_ids,
  e.dropped ? 'erased' or r.has_forgotten as is_forgotten,
  case when m.content like '%%@%%' then (
    select jsonb_object_agg(o.user_id, coalesce(nullif(n.nickname, ''), n.name))
    from keepsake_chats.conversations_participants as o
    join keepsake_chats.user_profile_list as n on n.id = o.profile_id and n.user_id = o.user_id
    where o.conversation_id = m.conversation_id
  ) end as people,
  case when %(with_answers)s then coalesce((
    select right(a.content, 200) from keepsake_chats.messages as a
    where a.conversation_id = m.conversation_id and a.role::text = 'assistant' and a.created_at > m.created_at
      and a.created_at < m.created_at + interval '1 hour'
    order by a.created_at limit 1
  ), '') else '' end as answer
from keepsake.extractions as e
join keepsake_chats.messages as m on m.id = e.source_message_id and m.conversation_id = e.conversation_id and m.user_id = e.user_id
join keepsake_chats.conversations as c on c.id = e.conversation_id
join keepsake_chats.conversations_participants as p on p.conversation_id = e.conversation_id and p.user_id = e.user_id
left join public.user_memory_settings as s on s.user_id = e.user_id
cross join lateral (
  select coalesce(array_agg(g.id) filter (where g.id is not null and g.status <> 'deleted'), '{}') as ids,
    coalesce(bool_or(g.id is null or g.status = 'deleted'), false) as has_forgotten,
    coalesce(bool_or(g.persona_id is not null), false) as is_reserved
  from jsonb_array_elements(e.results) as r (result)
  left join public.user_memory as g on g.user_id = e.user_id and g.id = (r.result ->> 'memory_id')::uuid
) as r
where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s and e.said_at >= %(start)s and e.said_at < %(end)s
  and (e.status = 'extracted' or e.reason = 'language') and m.content <> '' and not r.is_reserved
  and keepsake.is_memory_enabled(c.mode::text, p.memory_enabled) and coalesce(s.enabled, true)
  and e.said_at >= coalesce(s.erased_before, '-infinity')
  and (s.allowed_types is null or s.allowed_types @> enum_range(null::public.memory_type))
  and (%(persona_id)s::text is null or c.persona_id is not distinct from nullif(%(persona_id)s::text, ''))
order by e.said_at desc, m.id desc limit %(limit)s


-- name: forgotten
-- What a person has forgotten, of which sentences of their messages may tell no more, as hashes. A name of which something
-- from before is still remembered is no forgotten one.
with forgotten as (
  select f.words, f.names, f.forgotten_at from keepsake.forgotten_statements as f where f.user_id = %(user_id)s
  union all
  select keepsake.word_hashes(m.user_id, m.memory_text), keepsake.word_hashes(m.user_id, m.entity_label), m.deleted_at
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.status = 'deleted' and m.source_message_id is not null
), known as (
  select keepsake.word_hashes(m.user_id, m.entity_label) as names, min(m.valid_from) as since
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.status = 'active' and m.entity_label is not null
  group by 1
)
select g.words, case when exists (
    select from known as k where k.names = g.names and k.since <= g.forgotten_at
  ) then '{}' else g.names end as names, g.forgotten_at
from forgotten as g
