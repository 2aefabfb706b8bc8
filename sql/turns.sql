-- What the functions read of a turn, and of the prompt about it.

-- name: turn_facts
-- Each of these messages with its conversation, its author's choice there, profile and settings, its extraction, and what
-- the author and the assistant said just before, and the author's places. Each is read by its key, so that the plan serves
-- a table of any size.
select f.*
from unnest(%(conversation_ids)s::uuid[], %(message_ids)s::uuid[]) as t (conversation_id, message_id)
cross join lateral (
  select m.id as message_id, m.conversation_id, m.user_id, m.role::text as role, coalesce(m.content, '') as content,
    keepsake.message_time(m.created_at, %(now)s) as said_at,
    m.turn_index, c.mode::text as mode, c.persona_id, p.profile_id, p.memory_enabled,
    keepsake.remembered_from(p.remember_since, keepsake.message_time(m.created_at, %(now)s)) as remember_since,
    f.user_id as profile_owner, f.timezone, coalesce(f.is_primary, false) as is_primary,
    coalesce(s.building, true) as building, coalesce(s.enabled, true) as enabled, s.erased_before,
    s.allowed_types::text[] as allowed_types, e.id as extraction_id, e.status as extraction_status,
    (
      select coalesce(jsonb_agg(jsonb_build_array(b.role, b.content) order by b.created_at desc), '[]')
      from (
        select r.role::text as role, left(coalesce(r.content, ''), 2000) as content, r.created_at
        from keepsake_chats.messages as r
        where r.conversation_id = m.conversation_id and r.created_at < m.created_at
          and r.created_at > m.created_at - interval '6 hours'
          and r.created_at >= coalesce(p.remember_since, '-infinity')
          and r.created_at >= coalesce(s.erased_before, '-infinity')
          and (r.role = 'assistant' or r.user_id = m.user_id)
        order by r.created_at desc
        limit 6
      ) as b
    ) as previous,
    (
      select jsonb_object_agg(o.user_id, coalesce(nullif(n.nickname, ''), n.name))
      from keepsake_chats.conversations_participants as o
      join keepsake_chats.user_profile_list as n on n.id = o.profile_id and n.user_id = o.user_id
      where o.conversation_id = m.conversation_id
    ) as people,
    (
      select jsonb_agg(jsonb_build_array(l.id, l.name))
      from (
        select l.id, l.name from public.user_memory_places as l
        where l.user_id = m.user_id and l.profile_id = p.profile_id order by l.place_id limit 200
      ) as l
    ) as places
  from keepsake_chats.messages as m
  join keepsake_chats.conversations as c on c.id = m.conversation_id
  left join keepsake_chats.conversations_participants as p on p.conversation_id = m.conversation_id and p.user_id = m.user_id
  left join keepsake_chats.user_profile_list as f on f.id = p.profile_id
  left join public.user_memory_settings as s on s.user_id = m.user_id
  left join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
  where m.id = t.message_id and m.conversation_id = t.conversation_id
  limit 1
) as f

-- name: unfinished_before
-- The person's messages before an answer without a finished extraction: normally the one it answers.
-- Only the newest messages are looked at, however many there are; older ones are found by `run-due-jobs`. With offset 0 each
-- is looked for by its key, and not all extractions of the conversation are read.
select m.id, m.user_id
from (
  select n.id, n.conversation_id, n.user_id, n.role, n.created_at from keepsake_chats.messages as n
  where n.conversation_id = %(conversation_id)s and n.created_at > %(since)s
    and n.created_at <= (select a.created_at from keepsake_chats.messages as a where a.id = %(message_id)s)
  order by n.created_at desc
  limit 100
) as m
where m.role = 'user' and m.user_id is not null and not exists (
  select from keepsake.extractions as e
  where e.user_id = m.user_id and e.source_message_id = m.id
    and e.status in ('extracted', 'skipped', 'quarantined')
  offset 0
)
order by m.created_at desc
limit %(limit)s

-- name: watermark
-- Up to which moment a search has looked at everything.
select reached from keepsake.watermarks where name = %(name)s

-- name: move_watermark
-- Moves it; of two runs at once the one that came further wins.
insert into keepsake.watermarks as w (name, reached) values (%(name)s, %(reached)s)
on conflict (name) do update set reached = greatest(w.reached, excluded.reached)

-- name: read_again_from
-- From when messages are looked at again, because one may have been stored after its date: of the last hour before `reached`,
-- and the newest `limit` at most.
select coalesce(
  (
    select m.created_at from keepsake_chats.messages as m
    where m.role = 'user' and m.created_at between %(earliest)s and %(reached)s order by m.created_at desc offset %(limit)s limit 1
  ),
  %(earliest)s
)

-- name: next_message_at
-- The date of the first message of a person since then: a search need not go through the time before it.
select m.created_at from keepsake_chats.messages as m
where m.role = 'user' and m.created_at >= %(since)s order by m.created_at limit 1

-- name: due_turns
-- Turns without an extraction row that may be extracted, after a lost webhook. Oldest first. What is known of the author is
-- read by its key for each of them (offset 0), however many people there are.
select m.conversation_id, m.id as message_id, m.user_id
from (
  select n.id, n.conversation_id, n.user_id, n.created_at from keepsake_chats.messages as n
  where n.role = 'user' and n.created_at between %(from)s and %(until)s and not exists (
    select from keepsake.extractions as e
    where e.user_id = n.user_id and e.source_message_id = n.id
  )
  offset 0
) as m
cross join lateral (
  select from keepsake_chats.conversations_participants as p
  join keepsake_chats.user_profile_list as f on f.id = p.profile_id and f.user_id = p.user_id and f.is_primary
  left join public.user_memory_settings as s on s.user_id = p.user_id
  where p.conversation_id = m.conversation_id and p.user_id = m.user_id
    and m.created_at >= coalesce(keepsake.remembered_from(p.remember_since, m.created_at), '-infinity')
    and m.created_at >= coalesce(s.erased_before, '-infinity')
  offset 0
) as remembered
order by m.created_at
limit %(limit)s

-- name: prompt_context
-- The context of the prompt: names, time zone, birth chart, the previous answer, and the memories that had been injected.
select f.name, f.nickname, f.timezone, f.birth_chart,
  case when c.mode::text <> 'together' and not exists (
    select from keepsake_chats.conversations_participants as o
    where o.conversation_id = m.conversation_id and o.user_id <> m.user_id
  ) then (
    select case when b.role::text = 'assistant' then b.content end from keepsake_chats.messages as b
    where b.conversation_id = m.conversation_id and b.id <> m.id and b.created_at <= m.created_at
    order by b.created_at desc, b.turn_index desc nulls last
    limit 1
  ) end as assistant,
  array(
    select k.memory_text from public.user_memory as k
    where k.user_id = m.user_id and k.id in (
      select unnest(i.memory_ids) from keepsake.injections as i
      where i.conversation_id = m.conversation_id and i.user_id = m.user_id and i.created_at <= %(now)s
        and i.created_at > m.created_at - interval '1 day'
    )
  ) as injected
from keepsake_chats.messages as m
join keepsake_chats.conversations as c on c.id = m.conversation_id
left join keepsake_chats.user_profile_list as f on f.id = %(profile_id)s and f.user_id = m.user_id
where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
