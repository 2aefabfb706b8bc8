-- What an injection reads, and the record of each context.

-- name: visible_message
-- Whether the caller sees the message and wrote it; run as the person.
select m.id from keepsake_chats.messages as m
where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s and m.user_id = %(user_id)s

-- name: injection_facts
-- A message, saved or not yet, with everything that decides which memories its author may get. A conversation that is not
-- saved yet either is a chat of the person who agreed to memory in every chat; its context is made and not recorded.
select turn.message_id, turn.conversation_id, turn.user_id, turn.role, turn.content, turn.said_at,
  c.mode::text as mode, c.persona_id, p.user_id is not null or c.id is null as takes_part, f.id as profile_id, p.memory_enabled,
  keepsake.remembered_from(p.remember_since, turn.said_at) as remember_since,
  f.user_id as profile_owner, coalesce(f.is_primary, false) as is_primary,
  f.name, f.nickname, f.pronouns, f.timezone, f.locale,
  coalesce(s.building, true) as building, coalesce(s.enabled, true) as enabled, s.erased_before,
  s.allowed_types::text[] as allowed_types,
  c.mode::text is not distinct from 'together' or exists (
    select from keepsake_chats.conversations_participants as o
    where o.conversation_id = turn.conversation_id and o.user_id <> turn.user_id
  ) as shared,
  not exists (
    select from keepsake_chats.messages as a
    where a.conversation_id = turn.conversation_id and a.created_at <= turn.created_at and a.id is distinct from turn.message_id
  ) and not exists (
    select from keepsake.injections as i
    where i.conversation_id = turn.conversation_id and i.user_id = turn.user_id
      and (i.message_id is null or i.message_id is distinct from turn.message_id)
  ) as first_message,
  (
    select jsonb_object_agg(o.user_id, coalesce(nullif(n.nickname, ''), n.name))
    from keepsake_chats.conversations_participants as o
    join keepsake_chats.user_profile_list as n on n.id = o.profile_id and n.user_id = o.user_id
    where o.conversation_id = turn.conversation_id and turn.content like '%%@%%'
  ) as people,
  exists (
    select from public.user_memory_places as l where l.user_id = turn.user_id and l.profile_id = f.id
  ) as has_places,
  exists (
    select from keepsake.commands as r
    where r.user_id = turn.user_id and r.kind in ('agent_forget', 'agent_deactivate')
      and r.created_at > %(now)s::timestamptz - interval '24 hours'
  ) or exists (
    select from keepsake.commands as q
    where q.conversation_id = turn.conversation_id and q.user_id = turn.user_id and q.kind = 'forget_all'
      and q.status = 'confirm' and q.said_at < turn.said_at
      and q.said_at > turn.said_at - interval '1 hour'
  ) as has_requests,
  exists (
    select from keepsake.commands as r
    where r.user_id = turn.user_id and r.kind = 'model_forget' and not r.shown_in_context
  ) as has_receipts,
  c.id is null or current_setting('transaction_read_only') = 'on' as is_read_only,
  exists (
    select from keepsake.unscreened_edits as e
    join public.user_memory as o on o.user_id = e.user_id and o.id = e.memory_id
    where e.user_id = turn.user_id and e.rejection is null and o.status <> 'deleted'
  ) as has_unscreened_edits,
  exists (
    select from keepsake.unscreened_edits as e where e.user_id = turn.user_id and e.rejection is not null
  ) as has_rejections
from (
  select m.id as message_id, m.conversation_id, m.user_id, m.role::text as role, coalesce(m.content, '') as content,
    keepsake.message_time(m.created_at, %(now)s) as said_at, m.created_at
  from keepsake_chats.messages as m
  where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
  union all
  select null, %(conversation_id)s::uuid, %(user_id)s::uuid, 'user', %(user_message)s::text, %(now)s::timestamptz,
    %(now)s::timestamptz
  where %(message_id)s::uuid is null
) as turn
left join keepsake_chats.conversations as c on c.id = turn.conversation_id
left join keepsake_chats.conversations_participants as p
  on p.conversation_id = turn.conversation_id and p.user_id = turn.user_id
left join public.user_memory_settings as s on s.user_id = turn.user_id
left join keepsake_chats.user_profile_list as f on f.id = case when c.id is not null then p.profile_id else (
  select d.id from keepsake_chats.user_profile_list as d where d.user_id = turn.user_id and d.is_primary
) end
where c.id is not null or (turn.message_id is null and s.every_chat)

-- name: record_injection
-- Records a context and counts the use of the memories that the message asked for, once for each message however often its
-- context is asked for. The commit does not wait for the disk: a crash loses the records of the last half second at most. A
-- memory that is locked is skipped: its use is not counted.
with used as (
  select m.id from public.user_memory as m
  where m.user_id = %(user_id)s and m.id = any(%(used_ids)s::uuid[])
    and not exists (
      select from keepsake.injections as i
      where i.conversation_id = %(conversation_id)s and i.user_id = %(user_id)s and i.message_id = %(message_id)s::uuid
        and m.id = any(i.memory_ids)
    )
  order by m.id for no key update skip locked
), counted as (
  update public.user_memory as m
  set last_referenced_at = %(now)s, reference_count = least(m.reference_count + 1, 32767)
  from used
  where m.user_id = %(user_id)s and m.id = used.id
)
insert into keepsake.injections (id, user_id, conversation_id, profile_id, message_id, memory_ids, summary_ids, message_ids,
  token_count, memory_count, variant, reason, vector_outcome, created_at)
values (%(id)s, %(user_id)s, %(conversation_id)s, %(profile_id)s, %(message_id)s, %(memory_ids)s::uuid[], %(summary_ids)s::uuid[],
  %(message_ids)s::uuid[], %(token_count)s, %(memory_count)s, %(variant)s, %(reason)s, %(vector_outcome)s, %(now)s)
returning set_config('synchronous_commit', 'off', true)

-- name: last_messages
-- The newest messages of a conversation that the caller may read, oldest first, and whether they may read summaries;
-- run as the person, who has no rights in the schema keepsake (so the time is that of message_time, written out).
select coalesce((
    select json_agg(json_build_object('id', l.id, 'user_id', l.user_id, 'role', l.role, 'content', l.content,
      'created_at', greatest(least(l.created_at, now()), timestamptz '1900-01-01 00:00:00+00')) order by l.created_at, l.turn_index, l.id)
    from (
      select m.id, m.user_id, m.role::text as role, coalesce(m.content, '') as content, m.created_at, m.turn_index
      from keepsake_chats.messages as m
      where m.conversation_id = %(conversation_id)s
      order by m.created_at desc, m.turn_index desc, m.id desc
      limit %(limit)s
    ) as l
  ), '[]') as messages,
  case (select c.relkind from pg_class as c where c.oid = 'keepsake_chats.conversation_summaries'::regclass)
    when 'v' then has_table_privilege('public.conversation_summaries', 'select') else true end as may_read_summaries

-- name: rolling_summary
-- The rolling summary of a conversation, where the caller may read it.
select coalesce(s.rolling_summary, s.summary) from keepsake_chats.conversation_summaries as s
where s.conversation_id = %(conversation_id)s

-- name: is_marked
-- Whether the summary of a conversation is to be removed, because what it was written from changed.
select exists (select from keepsake.conversation_marks as k where k.conversation_id = %(conversation_id)s)

-- name: link_to_answer
-- Links an injection to the answer that used it, with its helpfulness; both must be in the same conversation.
update keepsake.injections as i
set answer_message_id = a.id, helpfulness = coalesce(%(helpfulness)s, i.helpfulness)
from keepsake_chats.messages as a
join keepsake_chats.conversations_participants as p on p.conversation_id = a.conversation_id
where i.user_id = p.user_id and i.id = %(injection_id)s and i.conversation_id = a.conversation_id
  and a.id = %(message_id)s and a.role = 'assistant'
returning i.memory_ids, i.summary_ids, i.message_ids, i.helpfulness

-- name: mark_answer
-- Stores the ids of the injected memories and summaries on the answer.
update keepsake_chats.messages
set meta = coalesce(meta, '{}') || jsonb_build_object(
  'injection_id', %(injection_id)s::uuid, 'memory_ids', to_jsonb(%(memory_ids)s::uuid[]),
  'summary_ids', to_jsonb(%(summary_ids)s::uuid[]))
where id = %(message_id)s
