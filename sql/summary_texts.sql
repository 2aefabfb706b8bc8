-- Stored summaries as texts for a context. One that rests on a memory that may not be shown here is left out.

-- name: period_texts
-- The texts of the summary of a period, each with the name of its column.
select s.id, s.message_ids, s.texts, s.outlines from keepsake.period_summaries as s
where
{of_period}
  and not
{rests_on_messages}
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_here}
  )

-- name: session_topics
-- What the sessions with a persona that ended in a period were about, the newest first.
select s.id, s.message_ids, s.one_liner, s.what_mattered, s.generator from public.user_memory_session_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.persona_id is not distinct from %(persona_id)s
  and s.ended_at >= %(start)s and s.ended_at < %(end)s and not
{rests_on_messages}
  and not exists (
    select from public.user_memory as m
    where m.user_id = s.user_id and m.id = any(s.source_ids)
      and (s.generator = 'rules' and (m.status = 'superseded' or m.doubted_at is not null) or
{hidden_here}
      )
  )
order by s.ended_at desc limit 5
