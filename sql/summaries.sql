-- What summaries are written from, and the summaries.

-- name: is_forgotten
-- Whether the person forgot the summary of a period.
select exists (
  select from public.user_memory_forgotten_summaries as f
  where f.user_id = %(user_id)s and f.profile_id = %(profile_id)s and f.kind = %(kind)s and f.first_date = %(first_date)s
)

-- name: memories_of_period
-- The memories that the person stated in the period, with what each took the place of, and those that ended in it without
-- anything in their place, each oldest first. What only one persona may know, what the person forgot or does not allow,
-- folds and profile fields are not summarized. An edit that is not screened yet is marked.
select m.id, m.memory_type::text as type, m.subtype, m.memory_text as text, m.valid_from as moment, m.importance,
  m.entity_label, m.entity_refs, m.conversation_id, o.id as replaced_id, o.memory_text as replaced_text,
  exists (
    select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id in (m.id, o.id)
  ) as is_unscreened, false as has_ended, m.memory_no, m.source = 'rule_extraction' as is_by_rules
from public.user_memory as m
left join public.user_memory as o
  on o.user_id = m.user_id and o.id = m.supersedes_id and o.status <> 'deleted' and o.persona_id is null
left join public.user_memory_settings as s on s.user_id = m.user_id
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status <> 'deleted' and m.persona_id is null
  and m.source not in ('curated_fold', 'seeded_profile')
  and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
  and m.valid_from >= %(start)s and m.valid_from < %(end)s
union all
select m.id, m.memory_type::text, m.subtype, m.memory_text, m.valid_to, m.importance, m.entity_label, m.entity_refs,
  m.conversation_id, null, null,
  exists (select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id),
  true, m.memory_no, m.source = 'rule_extraction'
from public.user_memory as m
left join public.user_memory_settings as s on s.user_id = m.user_id
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'superseded' and m.persona_id is null
  and m.source not in ('curated_fold', 'seeded_profile') and m.memory_type <> 'emotion' and m.subtype <> 'feeling'
  and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
  and m.valid_to >= %(start)s and m.valid_to < %(end)s
  and not exists (
    select from public.user_memory as n
    where n.user_id = m.user_id and n.supersedes_id = m.id and n.status <> 'deleted'
  )
order by moment, memory_no

-- name: weeks
-- The weekly summaries of these weeks, without those that rest on a memory that nobody may be shown.
select s.id, s.memory_ids, s.message_ids, s.first_date as first, array_to_string(s.texts[:][2:2], ' ') as text
from keepsake.period_summaries as s
where s.level = 'week' and s.user_id = %(user_id)s and s.profile_id = %(profile_id)s
  and s.first_date = any(%(first_dates)s::date[])
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )
order by s.first_date

-- name: stored
-- Who wrote the stored summary of a period, from what, and whether something in it was forgotten since.
select s.generator, s.prompt_version, s.sources_hash, exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  ) as has_forgotten
from keepsake.period_summaries as s
where
{of_period}

-- name: write_day
-- Writes the summary of a day; where it says something else than before, as a new version.
insert into public.user_memory_daily_summaries as s (user_id, profile_id, summary_date,
  {daily_columns}, {summary_columns}, message_ids, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(first_date)s,
  %(summary)s, %(key_themes)s,
{summary_values}
)
on conflict (user_id, profile_id, summary_date) do update
  set ({daily_columns}, {summary_columns}, message_ids, version, previous, updated_at) =
    ({daily_columns:excluded}, {summary_columns:excluded}, excluded.message_ids,
      s.version + 1, to_jsonb(s) - 'previous' - 'user_id', excluded.updated_at)
  where ({daily_columns:s}, {summary_columns:s})
    is distinct from ({daily_columns:excluded}, {summary_columns:excluded})
returning s.id

-- name: write_week
-- Writes the summary of a week; where it says something else than before, as a new version.
insert into public.user_memory_weekly_summaries as s (user_id, profile_id, year, week_number, week_start_date, week_end_date,
  {weekly_columns}, {summary_columns}, message_ids, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, extract(isoyear from %(first_date)s::date), extract(week from %(first_date)s::date),
  %(first_date)s, %(first_date)s::date + 6,
  %(emotional_summary)s, %(summary)s, %(key_themes)s, %(dominant_patterns)s, %(energy_shifts)s,
{summary_values}
)
on conflict (user_id, profile_id, year, week_number) do update
  set ({weekly_columns}, {summary_columns}, message_ids, version, previous, updated_at) =
    ({weekly_columns:excluded}, {summary_columns:excluded}, excluded.message_ids,
      s.version + 1, to_jsonb(s) - 'previous' - 'user_id', excluded.updated_at)
  where ({weekly_columns:s}, {summary_columns:s})
    is distinct from ({weekly_columns:excluded}, {summary_columns:excluded})
returning s.id

-- name: write_month
-- Writes the summary of a month; where it says something else than before, as a new version.
insert into public.user_memory_monthly_summaries as s (user_id, profile_id, year, month,
  {monthly_columns}, {summary_columns}, message_ids, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, extract(year from %(first_date)s::date), extract(month from %(first_date)s::date),
  %(emotional_summary)s, %(cognitive_summary)s, %(key_themes)s, %(dominant_transits)s, %(planetary_influences)s, %(weekly_summaries_used)s,
{summary_values}
)
on conflict (user_id, profile_id, year, month) do update
  set ({monthly_columns}, {summary_columns}, message_ids, version, previous, updated_at) =
    ({monthly_columns:excluded}, {summary_columns:excluded}, excluded.message_ids,
      s.version + 1, to_jsonb(s) - 'previous' - 'user_id', excluded.updated_at)
  where ({monthly_columns:s}, {summary_columns:s})
    is distinct from ({monthly_columns:excluded}, {summary_columns:excluded})
returning s.id

-- name: delete
-- Deletes the summary of a period that has no sources any more.
select keepsake.delete_period_summary(%(level)s, %(user_id)s, %(profile_id)s, %(first_date)s)
