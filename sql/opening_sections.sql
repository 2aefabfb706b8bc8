-- What the first context of a conversation tells beside memories.

-- name: opening
-- What the first context of a conversation tells beside memories, in one round trip: the open to-dos of the persona, the
-- last session, the rolling summary, the spine, the days, weeks and months of late (each with the memories in it that others
-- replaced, or that are doubted where the rules wrote it, and when), and the merged context with what it is merged from.
-- What rests on something that was forgotten since, or may not be shown here any more, is left out, and of sessions and the
-- day and history what the rules wrote of something that was replaced or doubted since: a model's text tells of its own days,
-- and stays true of them. Left out is also a to-do whose message is the source of a forgotten memory. The day and the history
-- are told where they tell of something that was said after the merged context was written.
select array(
    select jsonb_build_object('kind', t.kind, 'opened_at', t.opened_at, 'due_date', t.due_date, 'text', t.todo_text, 'source', t.source)
    from public.user_memory_todos as t
    where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is not distinct from %(persona_id)s
      and t.status = 'open' and (t.due_date is null or t.due_date >= %(due_since)s::date)
      and not exists (
        select from public.user_memory as m
        where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
      )
    order by t.due_date, t.opened_at desc, t.id limit %(max_todos)s
  ) as todos,
  (
    select jsonb_build_object('id', s.id, 'message_ids', s.message_ids, 'ended_at', s.ended_at, 'one_liner', s.one_liner, 'what_mattered', s.what_mattered,
      'open_loops', s.open_loops, 'commitments', s.commitments, 'people', s.people, 'tone', s.tone,
      'generator', s.generator)
    from (
      select n.ended_at, n.one_liner, n.what_mattered, n.open_loops, n.commitments, n.people, n.tone, n.generator, n.user_id, n.source_ids,
        n.id, n.message_ids
      from public.user_memory_session_summaries as n
      where n.user_id = %(user_id)s and n.profile_id = %(profile_id)s and n.persona_id is not distinct from %(persona_id)s
      order by n.ended_at desc limit 1
    ) as s
    where not
{rests_on_messages}
    and not exists (
      select from public.user_memory as m
      where m.user_id = s.user_id and m.id = any(s.source_ids)
        and (s.generator = 'rules' and (m.status = 'superseded' or m.doubted_at is not null) or
{hidden_here}
        )
    )
  ) as last_session,
  r.rolling_summary,
  (
    select jsonb_build_object('id', n.id, 'message_ids', n.message_ids, 'items', jsonb_agg(
      jsonb_build_array(e.section, i.item ->> 'text', coalesce(i.item ->> 'source', i.item ->> 'text'), (
        select coalesce(m.restated_at, m.valid_from) from public.user_memory as m
        where m.user_id = %(user_id)s and m.id = (i.item ->> 'id')::uuid
      )) order by e.section, i.position))
    from (
      select n.id, n.content, case when n.message_ids <> '{}' then n.message_ids else array(
        select distinct m.source_message_id from public.user_memory as m
        where m.user_id = n.user_id and m.id = any(n.source_ids) and m.source_message_id is not null
      ) end as message_ids from public.user_memory_spine as n
      where n.user_id = %(user_id)s and n.profile_id = %(profile_id)s order by n.version desc limit 1
    ) as n
    cross join lateral jsonb_each(n.content) as e (section, items)
    cross join lateral jsonb_array_elements(e.items) with ordinality as i (item, position)
    where coalesce(i.item ->> 'source', i.item ->> 'text') in ((
      select m.memory_text from public.user_memory as m  -- by its key: else all of the person's memories are read
      where m.user_id = %(user_id)s and m.id = (i.item ->> 'id')::uuid and m.status = 'active' and m.doubted_at is null
        and (m.expires_at is null or m.expires_at > %(now)s) and not
{hidden_here}
    ), (
      select t.todo_text from public.user_memory_todos as t
      where t.user_id = %(user_id)s and t.id = (i.item ->> 'id')::uuid and t.status = 'open'
        and (t.due_date is null or t.due_date >= %(due_since)s::date) and not exists (
        select from public.user_memory as m
        where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
      )
    ), (
      select n.one_liner from public.user_memory_session_summaries as n
      where n.user_id = %(user_id)s and n.id = (i.item ->> 'id')::uuid and not exists (
        select from public.user_memory as m where m.user_id = n.user_id and m.id = any(n.source_ids) and
{hidden_here}
      )
    ))
    group by n.id, n.message_ids
  ) as spine,
  array(
    select jsonb_build_object('level', s.level, 'first', s.first_date, 'id', s.id, 'message_ids', s.message_ids, 'texts', s.texts,
      'outlines', s.outlines, 'generator', s.generator, 'ended', array(
        select jsonb_build_array(m.memory_text, least(coalesce(m.valid_to, m.doubted_at), %(now)s)) from public.user_memory as m
        where m.user_id = s.user_id and m.id = any(s.memory_ids)
          and (m.status = 'superseded' and m.valid_to is not null or s.generator = 'rules' and m.doubted_at is not null)
      ))
    from (
      (
        select d.* from keepsake.period_summaries as d
        where d.level = 'day' and d.user_id = %(user_id)s and d.profile_id = %(profile_id)s and d.first_date between %(today)s::date - 6 and %(today)s
      ) union all (
        select w.* from keepsake.period_summaries as w
        where w.level = 'week' and w.user_id = %(user_id)s and w.profile_id = %(profile_id)s and w.first_date >= %(since)s::date - 6
      ) union all (
        select n.* from keepsake.period_summaries as n
        where n.level = 'month' and n.user_id = %(user_id)s and n.profile_id = %(profile_id)s
          and n.first_date >= (%(since)s::date - interval '1 month')::date
      )
    ) as s
    where not
{rests_on_messages}
    and not exists (
      select from public.user_memory as m
      where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_here}
    )
    order by s.first_date desc
  ) as periods,
  c.merged_context,
  (
    select jsonb_build_object('id', s.id, 'message_ids', s.message_ids, 'heading', s.summary_date || ':', 'text', s.summary, 'outline', s.outlines -> 'summary')
    from public.user_memory_daily_summaries as s
    where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(today)s::date
      and s.summary <> '' and (c.created_at is null or
{says_more}
      ) and not
{rests_on_messages}
      and not exists (
        select from public.user_memory as m
        where m.user_id = s.user_id and m.id = any(s.memory_ids) and (s.generator = 'rules' and m.doubted_at is not null or
{hidden_here}
        )
      )
  ) as current_day,
  (
    select jsonb_build_object('id', s.id, 'message_ids', s.message_ids, 'heading', format('%%s to %%s:', s.start_date, s.end_date), 'text', s.summary,
      'outline', s.outlines -> 'summary')
    from public.user_memory_history_summaries as s
    where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.end_date >= %(today)s::date - 7
      and (c.created_at is null or
{says_more}
      ) and not
{rests_on_messages}
      and not exists (
        select from public.user_memory as m
        where m.user_id = s.user_id and m.id = any(s.memory_ids) and (s.generator = 'rules' and m.doubted_at is not null or
{hidden_here}
        )
      )
    order by s.end_date desc limit 1
  ) as history
from (select) as n
left join lateral (
    select jsonb_build_object('id', s.id, 'message_ids', s.message_ids, 'text', s.rolling_summary, 'outline', s.outlines -> 'rolling_summary')
      as rolling_summary
    from public.user_memory_session_state as s
    where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.persona_id is not distinct from %(persona_id)s
      and s.rolling_summary <> '' and not exists (
        select from public.user_memory as m
        where m.user_id = s.user_id and m.id = any(s.source_ids)
          and (s.generator = 'rules' and (m.status = 'superseded' or m.doubted_at is not null) or
{hidden_here}
        )
      )
) as r on true
left join lateral (
    select jsonb_build_object('summary_ids', c.summary_ids, 'message_ids', c.message_ids, 'text', c.context) as merged_context, c.created_at
    from keepsake.context_cache as c
    where c.user_id = %(user_id)s and c.profile_id = %(profile_id)s and c.day = %(today)s::date
      and (c.message_ids = '{}' or %(types)s::public.memory_type[] @> enum_range(null::public.memory_type)) and not exists (
      select from public.user_memory as m
      where m.user_id = c.user_id and m.id = any(c.memory_ids)
        and ((m.status <> 'active' and m.id = any(c.fact_ids)) or
{hidden_here}
        )
    )
) as c on true
