-- Message retention: deleting the text of old messages, once everything that is written from it exists.

-- name: delete_message_texts
-- Deletes the text of the next old messages, and of the answers to them. The rows stay: they are the idempotency keys of
-- their extractions. A message is needed while it waits for its extraction, its conversation, session, day, week or month
-- for a summary.
with old as (
  select m.id, m.conversation_id, m.user_id, m.created_at from keepsake_chats.messages as m
  where m.role = 'user' and m.created_at < %(said_before)s and (m.created_at, m.id) > (%(after_said)s, %(after)s)
  order by m.created_at, m.id limit %(batch)s
), found as materialized (
  select o.id, o.conversation_id, o.created_at, exists (
      select from keepsake.extractions as e
      where e.user_id = o.user_id and e.source_message_id = o.id
        and e.status not in ('extracted', 'skipped', 'quarantined')
    ) or exists (select from keepsake.due_conversations as d where d.conversation_id = o.conversation_id)
    or exists (select from keepsake.conversation_marks as k where k.conversation_id = o.conversation_id)
    or exists (
      select from public.user_memory_sessions as s
      where s.user_id = o.user_id and s.summary_due_at is not null
        and o.created_at between s.started_at and s.last_activity_at
    ) or exists (
      select from keepsake.summary_marks as k
      join keepsake_chats.conversations_participants as p
        on p.conversation_id = o.conversation_id and p.user_id = o.user_id and p.profile_id = k.profile_id
      where k.user_id = o.user_id
    ) or exists (
      select from keepsake.summary_periods as w join keepsake.summary_kinds as k on k.kind = w.level
      join keepsake_chats.conversations_participants as p
        on p.conversation_id = o.conversation_id and p.user_id = o.user_id and p.profile_id = w.profile_id
      where w.user_id = o.user_id and w.first_date <= o.created_at::date + 1
        and w.first_date + k.length + interval '1 day' > o.created_at::date
    ) as is_needed
  from old as o
), person_messages as (
  update keepsake_chats.messages as m set content = '' from found as j
  where m.id = j.id and m.conversation_id = j.conversation_id and not j.is_needed and m.content <> '' returning m.id
), ready as (
  select j.conversation_id, max(j.created_at) as reached from found as j
  group by j.conversation_id having not bool_or(j.is_needed)
), answers as (
  update keepsake_chats.messages as m set content = '' from ready as r
  where m.conversation_id = r.conversation_id and m.role <> 'user' and m.content <> ''
    and m.created_at <= r.reached + interval '1 hour' and m.created_at < %(said_before)s
  returning m.id
)
select (select count(*) from person_messages) + (select count(*) from answers) as touched, (select count(*) from found) as seen,
  (select j.created_at from found as j order by j.created_at desc, j.id desc limit 1) as last_said,
  (select j.id from found as j order by j.created_at desc, j.id desc limit 1) as last,
  (select min(j.created_at) from found as j where j.is_needed) as first_needed

-- name: watermark
-- Up to when every text has been deleted.
select reached from keepsake.watermarks where name = 'message_retention'

-- name: move_watermark
-- Notes up to when every text has been deleted.
insert into keepsake.watermarks as w (name, reached) values ('message_retention', %(reached)s)
on conflict (name) do update set reached = excluded.reached
