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
select w.id, w.memory_ids, w.message_ids, w.week_start_date as first, concat_ws(' ', w.emotional_summary, w.summary) as text
from public.user_memory_weekly_summaries as w
where w.user_id = %(user_id)s and w.profile_id = %(profile_id)s and w.week_start_date = any(%(first_dates)s::date[])
  and not exists (
    select from public.user_memory as m where m.user_id = w.user_id and m.id = any(w.memory_ids) and
{hidden_from_summaries}
  )
order by w.week_start_date

-- name: stored_day
-- Who wrote the stored summary of a day, from what, and whether something in it was forgotten since.
select s.generator, s.prompt_version, s.sources_hash, exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  ) as has_forgotten
from public.user_memory_daily_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(first_date)s

-- name: stored_week
-- The same of a week.
select s.generator, s.prompt_version, s.sources_hash, exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  ) as has_forgotten
from public.user_memory_weekly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.week_start_date = %(first_date)s::date

-- name: stored_month
-- The same of a month.
select s.generator, s.prompt_version, s.sources_hash, exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  ) as has_forgotten
from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.year = extract(year from %(first_date)s::date)
  and s.month = extract(month from %(first_date)s::date)

-- name: write_day
-- Writes the summary of a day; where it says something else than before, as a new version.
insert into public.user_memory_daily_summaries as s (user_id, profile_id, summary_date, summary, key_themes,
  outlines, conversation_count, source_ids, message_ids, sources_hash, memory_ids, generator, prompt_version, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(first_date)s, %(summary)s, %(key_themes)s, %(outlines)s, %(conversation_count)s, %(source_ids)s,
  %(message_ids)s, %(sources_hash)s, %(memory_ids)s, %(generator)s, %(prompt_version)s, %(now)s, %(now)s)
on conflict (user_id, profile_id, summary_date) do update
  set summary = excluded.summary, key_themes = excluded.key_themes, outlines = excluded.outlines,
    conversation_count = excluded.conversation_count, source_ids = excluded.source_ids,
    memory_ids = excluded.memory_ids, message_ids = excluded.message_ids,
    sources_hash = excluded.sources_hash, generator = excluded.generator, prompt_version = excluded.prompt_version,
    version = s.version + 1,
    previous = to_jsonb(s) - 'previous' - 'user_id', updated_at = excluded.updated_at
  where (s.summary, s.key_themes, s.outlines, s.conversation_count, s.source_ids, s.memory_ids, s.sources_hash, s.generator,
      s.prompt_version) is distinct from
    (excluded.summary, excluded.key_themes, excluded.outlines, excluded.conversation_count, excluded.source_ids,
      excluded.memory_ids, excluded.sources_hash, excluded.generator, excluded.prompt_version)
returning s.id

-- name: write_week
-- Writes the summary of a week; where it says something else than before, as a new version.
insert into public.user_memory_weekly_summaries as s (user_id, profile_id, year, week_number, week_start_date,
  week_end_date, emotional_summary, summary, key_themes, dominant_patterns, energy_shifts, outlines, conversation_count, source_ids,
  message_ids, sources_hash, memory_ids, generator, prompt_version, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, extract(isoyear from %(first_date)s::date), extract(week from %(first_date)s::date),
  %(first_date)s, %(first_date)s::date + 6, %(emotional_summary)s, %(summary)s, %(key_themes)s, %(dominant_patterns)s,
  %(energy_shifts)s, %(outlines)s, %(conversation_count)s, %(source_ids)s, %(message_ids)s,
  %(sources_hash)s, %(memory_ids)s, %(generator)s, %(prompt_version)s, %(now)s, %(now)s)
on conflict (user_id, profile_id, year, week_number) do update
  set emotional_summary = excluded.emotional_summary, summary = excluded.summary, key_themes = excluded.key_themes,
    dominant_patterns = excluded.dominant_patterns, energy_shifts = excluded.energy_shifts, outlines = excluded.outlines,
    conversation_count = excluded.conversation_count, source_ids = excluded.source_ids,
    memory_ids = excluded.memory_ids, message_ids = excluded.message_ids,
    sources_hash = excluded.sources_hash, generator = excluded.generator, prompt_version = excluded.prompt_version,
    version = s.version + 1,
    previous = to_jsonb(s) - 'previous' - 'user_id', updated_at = excluded.updated_at
  where (s.emotional_summary, s.summary, s.key_themes, s.dominant_patterns, s.energy_shifts, s.outlines, s.conversation_count,
      s.source_ids, s.memory_ids, s.sources_hash, s.generator, s.prompt_version) is distinct from
    (excluded.emotional_summary, excluded.summary, excluded.key_themes, excluded.dominant_patterns,
      excluded.energy_shifts, excluded.outlines, excluded.conversation_count, excluded.source_ids,
      excluded.memory_ids, excluded.sources_hash, excluded.generator, excluded.prompt_version)
returning s.id

-- name: write_month
-- Writes the summary of a month; where it says something else than before, as a new version.
insert into public.user_memory_monthly_summaries as s (user_id, profile_id, year, month, emotional_summary,
  cognitive_summary, key_themes, dominant_transits, planetary_influences, outlines, conversation_count, weekly_summaries_used,
  source_ids, message_ids, sources_hash, memory_ids, generator, prompt_version, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, extract(year from %(first_date)s::date), extract(month from %(first_date)s::date),
  %(emotional_summary)s, %(cognitive_summary)s, %(key_themes)s, %(dominant_transits)s, %(planetary_influences)s,
  %(outlines)s, %(conversation_count)s, %(weekly_summaries_used)s, %(source_ids)s, %(message_ids)s, %(sources_hash)s, %(memory_ids)s,
  %(generator)s, %(prompt_version)s, %(now)s, %(now)s)
on conflict (user_id, profile_id, year, month) do update
  set emotional_summary = excluded.emotional_summary, cognitive_summary = excluded.cognitive_summary,
    key_themes = excluded.key_themes, dominant_transits = excluded.dominant_transits,
    planetary_influences = excluded.planetary_influences, outlines = excluded.outlines,
    conversation_count = excluded.conversation_count, weekly_summaries_used = excluded.weekly_summaries_used,
    source_ids = excluded.source_ids, memory_ids = excluded.memory_ids, message_ids = excluded.message_ids,
    sources_hash = excluded.sources_hash, generator = excluded.generator,
    prompt_version = excluded.prompt_version, version = s.version + 1,
    previous = to_jsonb(s) - 'previous' - 'user_id', updated_at = excluded.updated_at
  where (s.emotional_summary, s.cognitive_summary, s.key_themes, s.dominant_transits, s.planetary_influences,
      s.outlines, s.conversation_count, s.weekly_summaries_used, s.source_ids, s.memory_ids, s.sources_hash, s.generator,
      s.prompt_version) is distinct from
    (excluded.emotional_summary, excluded.cognitive_summary, excluded.key_themes, excluded.dominant_transits,
      excluded.planetary_influences, excluded.outlines, excluded.conversation_count, excluded.weekly_summaries_used,
      excluded.source_ids, excluded.memory_ids, excluded.sources_hash, excluded.generator, excluded.prompt_version)
returning s.id

-- name: delete_day
-- Deletes the summary of a day that has no sources any more.
delete from public.user_memory_daily_summaries
where user_id = %(user_id)s and profile_id = %(profile_id)s and summary_date = %(first_date)s returning id

-- name: delete_week
-- Deletes the summary of a week that has no sources any more.
delete from public.user_memory_weekly_summaries
where user_id = %(user_id)s and profile_id = %(profile_id)s and week_start_date = %(first_date)s::date
  and year = extract(isoyear from %(first_date)s::date) and week_number = extract(week from %(first_date)s::date)
returning id

-- name: delete_month
-- Deletes the summary of a month that has no sources any more.
delete from public.user_memory_monthly_summaries
where user_id = %(user_id)s and profile_id = %(profile_id)s and year = extract(year from %(first_date)s::date)
  and month = extract(month from %(first_date)s::date) returning id
