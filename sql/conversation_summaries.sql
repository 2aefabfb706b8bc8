-- The summaries of conversations: which are due, what they are written from, and the rows.

-- name: mark_due
-- Makes the summaries of these conversations due that do not cover this many of their turns. Only the newest messages of each
-- are looked at, however many there are, and their authors by key (offset 0).
insert into keepsake.due_conversations as d (conversation_id, due_at)
select c.id, %(due_at)s from keepsake_chats.conversations as c
left join keepsake_chats.conversation_summaries as s on s.conversation_id = c.id
left join keepsake_chats.messages as t on t.id = s.through_message_id and t.conversation_id = c.id
where c.id = any(%(conversation_ids)s::uuid[]) and (s.conversation_id is null or s.generator is not null) and (
  select count(*) from (
    select n.conversation_id, n.user_id, n.role, n.created_at from keepsake_chats.messages as n
    where n.conversation_id = c.id
    order by n.created_at desc limit 100 + %(turns)s
  ) as m
  where m.role::text = 'user' and m.created_at > coalesce(t.created_at, s.updated_at, '-infinity') and exists (
    select from keepsake_chats.conversations_participants as p
    where p.conversation_id = m.conversation_id and p.user_id = m.user_id and p.profile_id is not null
      and m.created_at >= coalesce(p.remember_since, '-infinity')
    offset 0
  )
) >= %(turns)s
order by c.id
on conflict (conversation_id) do update set due_at = excluded.due_at where d.due_at > excluded.due_at
returning conversation_id

-- name: conversations_of_session
-- The conversations in which a person spoke with a persona between two moments.
select distinct m.conversation_id from keepsake_chats.messages as m
join keepsake_chats.conversations as c on c.id = m.conversation_id and c.persona_id is not distinct from %(persona_id)s
join keepsake_chats.conversations_participants as p
  on p.conversation_id = m.conversation_id and p.user_id = m.user_id and p.profile_id = %(profile_id)s
join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
where m.user_id = %(user_id)s and m.role::text = 'user' and m.created_at between %(since)s and %(until)s
limit 20

-- name: fold_marks
-- Removes the summaries of marked conversations and makes them due.
with taken as (
  delete from keepsake.conversation_marks as k
  where k.id in (select o.id from keepsake.conversation_marks as o order by o.id limit %(limit)s for update skip locked)
  returning k.conversation_id
), locked as materialized (
  select s.conversation_id from keepsake_chats.conversation_summaries as s
  where s.conversation_id in (select t.conversation_id from taken as t) and s.generator is not null
  order by s.conversation_id for update skip locked
), removed as (
  delete from keepsake_chats.conversation_summaries as s using locked as l where s.conversation_id = l.conversation_id
)
insert into keepsake.due_conversations as d (conversation_id, due_at)
select c.id, %(now)s::timestamptz from keepsake_chats.conversations as c
where c.id in (select t.conversation_id from taken as t) order by c.id
on conflict (conversation_id) do update set due_at = least(d.due_at, excluded.due_at)

-- name: claim_due
-- The next conversations whose summary is due; the next call takes others until the next attempt.
update keepsake.due_conversations as d set due_at = %(next_attempt_at)s
where d.conversation_id in (
  select w.conversation_id from keepsake.due_conversations as w
  where w.due_at <= %(now)s order by w.due_at limit %(limit)s for update skip locked
)
returning d.conversation_id

-- name: postpone
-- Looks at a conversation again at this moment.
insert into keepsake.due_conversations as d (conversation_id, due_at, model_failures, bad_replies, waiting_since)
values (%(conversation_id)s, %(due_at)s, %(model_failures)s, %(bad_replies)s, %(waiting_since)s)
on conflict (conversation_id) do update
  set due_at = excluded.due_at, model_failures = d.model_failures + excluded.model_failures,
    bad_replies = d.bad_replies + excluded.bad_replies,
    waiting_since = coalesce(d.waiting_since, excluded.waiting_since)

-- name: model_wait
-- How often the model failed for a waiting conversation, and since when it waits for it.
select d.model_failures, d.bad_replies, d.waiting_since from keepsake.due_conversations as d
where d.conversation_id = %(conversation_id)s

-- name: finish
-- Removes a conversation whose summary has been written.
delete from keepsake.due_conversations as d where d.conversation_id = %(conversation_id)s

-- name: conversation
-- A conversation with its stored summary; whether several people read it.
select c.persona_id, c.mode::text = 'together' or exists (
    select from keepsake_chats.conversations_participants as o
    where o.conversation_id = c.id and o.user_id is distinct from c.user_id
  ) as is_shared,
  s.summary, s.source_ids, s.generator, s.version, s.messages_covered, s.through_message_id, s.rolling_summary,
  s.conversation_id is not null and s.generator is null as is_of_host
from keepsake_chats.conversations as c
left join keepsake_chats.conversation_summaries as s on s.conversation_id = c.id
where c.id = %(conversation_id)s

-- name: authors
-- Who wrote in a conversation and may be remembered there.
select p.user_id from keepsake_chats.conversations_participants as p
where p.conversation_id = %(conversation_id)s and p.profile_id is not null order by p.user_id

-- name: people
-- The names of those who take part, by the profile they chose here.
select p.user_id, coalesce(nullif(f.nickname, ''), f.name) as name, f.timezone, p.profile_id
from keepsake_chats.conversations_participants as p
left join keepsake_chats.user_profile_list as f on f.id = p.profile_id and f.user_id = p.user_id
where p.conversation_id = %(conversation_id)s order by p.user_id

-- name: turns
-- The newest messages that may be summarized, oldest first: extracted, from after consent, in no excluded conversation. What is
-- summarized already outlasts a pause. Each with the beginning of its text, the end of the answer, its memories, and whether one
-- of these was forgotten or erased; of what several people read, only what was said in this conversation, without feelings.
select u.message_id, u.user_id, case when u.is_readable then u.text else '' end as text, u.said_at, coalesce((
    select right(a.content, 200) from keepsake_chats.messages as a
    where a.conversation_id = %(conversation_id)s and a.role::text = 'assistant' and a.created_at > u.created_at
      and a.created_at < u.created_at + interval '1 hour'
    order by a.created_at limit 1
  ), '') as answer, u.is_erased or exists (
    select from unnest(u.memory_ids) as r (id)
    left join public.user_memory as g on g.user_id = u.user_id and g.id = r.id
    where g.id is null or g.status = 'deleted'
  ) as is_forgotten, coalesce((
    select jsonb_agg(jsonb_build_object('id', k.id, 'text', k.memory_text, 'type', k.memory_type, 'subtype', k.subtype,
      'is_corrected', k.source = 'user', 'is_by_model', k.source = 'llm_extraction')
      order by k.memory_no)
    from public.user_memory as k
    left join public.user_memory_settings as t on t.user_id = k.user_id
    where k.user_id = u.user_id and k.id = any(u.memory_ids) and k.profile_id = u.profile_id and k.status <> 'deleted'
      and (t.allowed_types is null or k.memory_type = any(t.allowed_types))
      and (k.persona_id is null or k.persona_id = %(persona_id)s::text)
      and not exists (select from keepsake.unscreened_edits as w where w.user_id = k.user_id and w.memory_id = k.id)
      and (not %(is_shared)s or (k.conversation_id = %(conversation_id)s and k.source <> 'user' and k.persona_id is null))
  ), '[]') as memories
from (
  select m.id as message_id, m.user_id, p.profile_id, left(coalesce(m.content, ''), %(max_length)s) as text,
    keepsake.message_time(m.created_at, %(now)s) as said_at, m.created_at, e.dropped ? 'erased' as is_erased,
    s.allowed_types is null or s.allowed_types @> enum_range(null::public.memory_type) as is_readable,
    array(select (r.result ->> 'memory_id')::uuid from jsonb_array_elements(e.results) as r (result)) as memory_ids
  from keepsake_chats.messages as m
  join keepsake_chats.conversations as c on c.id = m.conversation_id
  join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
    and (e.status = 'extracted' or e.reason = 'language')
  join keepsake_chats.conversations_participants as p on p.conversation_id = m.conversation_id and p.user_id = m.user_id
  join keepsake_chats.user_profile_list as f on f.id = p.profile_id and f.user_id = m.user_id and f.is_primary
  left join public.user_memory_settings as s on s.user_id = m.user_id
  where m.conversation_id = %(conversation_id)s and m.role::text = 'user'
    and keepsake.is_memory_enabled(c.mode::text, p.memory_enabled)
    and coalesce(s.enabled, true)
    and (m.id = any(%(summarized_ids)s::uuid[])
      or coalesce(s.building, true) and m.created_at >= coalesce(p.remember_since, '-infinity'))
    and m.created_at >= coalesce(s.erased_before, '-infinity')
  order by m.created_at desc, m.id desc
  limit %(limit)s
) as u
order by u.created_at, u.message_id

-- name: has_unfinished_turns
-- Whether a message of the last day waits for its extraction.
select exists (
  select from keepsake_chats.messages as m
  join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
  where m.conversation_id = %(conversation_id)s and m.created_at > %(since)s and e.status in ('pending', 'claimed')
)

-- name: write
-- Writes the summary of a conversation; where it says something else than before, as a new version. Returns no row where
-- somebody else wrote meanwhile.
insert into keepsake_chats.conversation_summaries as s (conversation_id, summary, rolling_summary, messages_covered,
  through_message_id, source_ids, generator, prompt_version, updated_at)
values (%(conversation_id)s, %(summary)s, %(rolling_summary)s, %(messages_covered)s, %(through_message_id)s, %(source_ids)s,
  %(generator)s, %(prompt_version)s, %(now)s)
on conflict (conversation_id) do update
  set summary = excluded.summary, rolling_summary = excluded.rolling_summary,
    messages_covered = excluded.messages_covered, through_message_id = excluded.through_message_id,
    source_ids = excluded.source_ids, generator = excluded.generator, prompt_version = excluded.prompt_version,
    version = s.version + 1, previous = to_jsonb(s) - 'previous' - 'conversation_id', updated_at = excluded.updated_at
  where s.generator is not null and s.version = %(expected_version)s
    and (s.summary, s.source_ids, s.generator, s.prompt_version) is distinct from
    (excluded.summary, excluded.source_ids, excluded.generator, excluded.prompt_version)
returning s.version

-- name: delete
-- Deletes the summary of a conversation of which nothing may be summarized any more.
delete from keepsake_chats.conversation_summaries as s
where s.conversation_id = %(conversation_id)s and s.generator is not null returning s.conversation_id
