-- Fills the tables of `bench.scale`. Ids are made from numbers (`bench.id`), so that rows name one another without being
-- looked up. `bench.turns` gives the turns of people by number: a thousand each.

-- name: id_function
-- The id of a row of a kind.
create function bench.id(kind text, number bigint) returns uuid language sql immutable parallel safe
return md5(kind || number::text)::uuid

-- name: turns_function
-- Turn `j` of person `n`: a tenth in the half year before the last week, the others within it, up to now.
create function bench.turns(first bigint, last bigint)
returns table (n bigint, j bigint, number bigint, chat bigint, is_said boolean, person uuid, message uuid, moment timestamptz)
language sql stable parallel safe as $$
  select n, j, n * 1000 + j, n * 10 + j / 100, j %% 10 <> 9, bench.id('user', n), bench.id('message', n * 1000 + j),
    now() - interval '1 second' * ((n * 61) %% 600) - case when j < 100 then interval '7 days' + interval '2 days' * (100 - j)
      else interval '10 minutes' * (999 - j) end
  from generate_series(0::bigint, 999) as j, lateral generate_series(first + 0 * j, last) as n
$$

-- name: source
-- The first person's memories, which everybody has a copy of.
create table bench.source as select * from public.user_memory

-- name: source_words
-- The index of their words.
create table bench.source_words as select m.memory_no, i.lexemes, i.length
from keepsake.memory_index as i join public.user_memory as m on m.id = i.memory_id

-- name: messages
-- A message of each turn; of ten, nine are the person's.
insert into public.messages (id, conversation_id, user_id, role, content, turn_index, created_at)
select t.message, bench.id('chat', t.chat), case when t.is_said then t.person end,
  case when t.is_said then 'user' else 'assistant' end, 'What was said as number ' || t.number, t.j %% 100, t.moment
from bench.turns(%(from)s, %(to)s) as t

-- name: long_messages
-- The messages of one long conversation, in turns the person's and the assistant's.
insert into public.messages (id, conversation_id, user_id, role, content, turn_index, created_at)
select bench.id('long', g), bench.id('chat', 0), case when g %% 2 = 0 then bench.id('user', 0) end,
  case when g %% 2 = 0 then 'user' else 'assistant' end, 'What was said as number ' || g, g / 2,
  now() - interval '20 seconds' * (20000 - g)
from generate_series(1, 20000) as g

-- name: extractions
-- The extraction of each of the person's messages; few wait or failed.
insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, reason, generator, attempts,
  next_attempt_at, results, created_at, finished_at)
select bench.id('chat', t.chat), t.message, t.person, s.status,
  case s.status when 'skipped' then case when t.number %% 5000 = 1 then 'language' else 'greeting' end
    when 'quarantined' then 'crashed' end,
  case s.status when 'extracted' then 'rules' end, 1, case s.status when 'pending' then now() + interval '2 days' end,
  case when s.status = 'extracted' and t.j %% 3 = 0 and t.n < %(remembered)s
    then jsonb_build_array(jsonb_build_object('action', 'created', 'memory_id', bench.id('memory', t.number + 1)))
    else '[]' end,
  t.moment, case when s.status <> 'pending' then t.moment end
from bench.turns(%(from)s, %(to)s) as t, lateral (select case when t.number %% 2000 = 7 then 'pending'
  when t.number %% 20000 = 8 then 'quarantined' when t.number %% 20 = 1 then 'skipped' else 'extracted' end as status) as s
where t.is_said

-- name: long_extractions
-- The extractions of the long conversation.
insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, generator, attempts, finished_at)
select bench.id('chat', 0), bench.id('long', g), bench.id('user', 0), 'extracted', 'rules', 1, now()
from generate_series(2, 20000, 2) as g

-- name: injections
-- A context for each turn.
insert into keepsake.injections (user_id, conversation_id, profile_id, message_id, memory_ids, token_count, memory_count,
  vector_outcome, created_at)
select t.person, bench.id('chat', t.chat), bench.id('profile', t.n), case when t.is_said then t.message end,
  array[bench.id('memory', t.n * 1000 + 1), bench.id('memory', t.number + 1)], 150, 2, 'used', t.moment
from bench.turns(%(from)s, %(to)s) as t

-- name: changes
-- The log of those who have no memories: what is gone.
insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, before, actor, reason, created_at)
select bench.id('operation', t.number / 2), t.person, 'user_memory', bench.id('memory', t.number + 1), 'delete',
  case when t.moment > now() - interval '31 days' then jsonb_build_object('id', bench.id('memory', t.number + 1), 'user_id', t.person,
    'memory_text', 'What was remembered as number ' || t.number) end, 'rules', 'extract', t.moment
from bench.turns(%(from)s, %(to)s) as t where t.n >= %(remembered)s

-- name: creations
-- The log of those who have memories: how each was made.
insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, after, actor, reason, created_at)
select bench.id('operation', n * 1000 + m.memory_no), m.user_id, 'user_memory', m.id, 'insert', to_jsonb(m), 'rules',
  'extract', now() - interval '6 days' * (1 - m.memory_no / 1000.0)
from public.user_memory as m join generate_series(%(from)s::bigint, %(to)s::bigint) as n on m.user_id = bench.id('user', n)
order by m.memory_no

-- name: deliveries
-- A webhook delivery of each turn.
insert into keepsake.webhook_deliveries (webhook_id, status, outcome, received_at)
select 'msg_' || t.message, 202, '{"status": "accepted"}', t.moment from bench.turns(%(from)s, %(to)s) as t

-- name: rates
-- The rate of each minute in which somebody spoke.
insert into keepsake.counters (user_id, name, period_start, value)
select t.person, 'extractions', t.moment, 3 from bench.turns(%(from)s, %(to)s) as t

-- name: numbers
-- The number of the last memory of each person who has any.
insert into keepsake.counters (user_id, name, value)
select bench.id('user', n), 'memory_no', 1000 from generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: memories
-- A copy of the first person's memories for each person, written in turns.
insert into public.user_memory (id, user_id, profile_id, memory_no, memory_text, memory_type, subtype, confidence_score,
  importance, pinned, memory_key, value, entity_refs, reference_count, created_at, valid_from, last_referenced_at, updated_at,
  source)
select bench.id('memory', n * 1000 + s.memory_no), bench.id('user', n), bench.id('profile', n), s.memory_no, s.memory_text, s.memory_type, s.subtype, s.confidence_score,
  s.importance, s.pinned, s.memory_key, s.value, s.entity_refs, s.reference_count, s.created_at, s.valid_from, s.last_referenced_at, s.updated_at,
  s.source
from bench.source as s, generate_series(%(from)s::bigint, %(to)s::bigint) as n order by s.memory_no, n

-- name: words
-- The index of their words.
insert into keepsake.memory_index (memory_id, user_id, profile_id, lexemes, length)
select bench.id('memory', n * 1000 + w.memory_no), bench.id('user', n), bench.id('profile', n), w.lexemes, w.length
from bench.source_words as w, generate_series(%(from)s::bigint, %(to)s::bigint) as n order by w.memory_no, n

-- name: to_embed
-- Their places in the queue for vectors, which nobody works off.
insert into keepsake.memories_to_embed (user_id, memory_id)
select bench.id('user', n), bench.id('memory', n * 1000 + w.memory_no)
from bench.source_words as w, generate_series(%(from)s::bigint, %(to)s::bigint) as n order by w.memory_no, n

-- name: entities
-- Whom and what they name.
insert into public.user_memory_entities (user_id, profile_id, key, label)
select bench.id('user', n), bench.id('profile', n), e.key, e.label
from (select distinct r.ref as key, initcap(split_part(r.ref, ':', 2)) as label
  from bench.source as s, unnest(s.entity_refs) as r (ref) where r.ref <> 'person:self') as e,
  generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: settings
-- Their settings.
insert into public.user_memory_settings (user_id)
select bench.id('user', n) from generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: chats
-- Ten conversations of each person, for a hundred messages each.
insert into public.conversations (id, user_id, profile_id, created_at)
select bench.id('chat', n * 10 + k), bench.id('user', n), bench.id('profile', n), now() - interval '200 days'
from generate_series(0, 9) as k, generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: participants
-- Who takes part in them.
insert into public.conversations_participants (conversation_id, user_id, profile_id, remember_since)
select bench.id('chat', n * 10 + k), bench.id('user', n), bench.id('profile', n), now() - interval '200 days'
from generate_series(0, 9) as k, generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: due_conversations
-- Their summaries are due later.
insert into keepsake.due_conversations (conversation_id, due_at)
select bench.id('chat', n * 10 + k), now() + interval '2 days' from generate_series(0, 9) as k,
  generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: sessions
-- Ten sessions of each person.
insert into public.user_memory_sessions (user_id, profile_id, started_at, last_activity_at, ended_at, turn_count)
select bench.id('user', n), bench.id('profile', n), d.ended_at - interval '1 hour', d.ended_at - interval '30 minutes',
  d.ended_at, 50
from generate_series(0, 9) as k, generate_series(%(from)s::bigint, %(to)s::bigint) as n,
  lateral (select now() - interval '3 days' - interval '12 hours' * k as ended_at) as d

-- name: commands
-- Ten chat commands of each person, older than a day.
insert into keepsake.commands (user_id, conversation_id, message_id, text_hash, kind, status, said_at, created_at)
select bench.id('user', n), bench.id('chat', n * 10 + k), bench.id('message', n * 1000 + k * 100), '\x00', 'remember',
  'done', d.moment, d.moment
from generate_series(0, 9) as k, generate_series(%(from)s::bigint, %(to)s::bigint) as n,
  lateral (select now() - interval '2 days' - interval '12 hours' * k as moment) as d

-- name: users
-- People.
insert into auth.users (id) select bench.id('user', n) from generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: profiles
-- Their profiles.
insert into public.user_profile_list (id, user_id, name, is_primary)
select bench.id('profile', n), bench.id('user', n), 'Ada', true from generate_series(%(from)s::bigint, %(to)s::bigint) as n

-- name: jobs
-- Jobs that wait, for turns in turn.
insert into keepsake.procrastinate_jobs (queue_name, task_name, args, status)
select 'default', 'extract_user_memory', jsonb_build_object('conversation_id', bench.id('chat', g / 100),
  'message_id', bench.id('message', g)), 'todo'
from generate_series(1, %(rows)s::bigint) as g

-- name: events
-- When each was queued.
insert into keepsake.procrastinate_events (job_id, type, at)
select j.id, 'deferred', now() - interval '1 hour' from keepsake.procrastinate_jobs as j
