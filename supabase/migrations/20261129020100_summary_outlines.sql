-- What a summary says, item by item, beside its text: a context leaves out what it says elsewhere, without reading the text.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.user_memory_daily_summaries add column outlines jsonb not null default '{}';
alter table public.user_memory_weekly_summaries add column outlines jsonb not null default '{}';
alter table public.user_memory_monthly_summaries add column outlines jsonb not null default '{}';
alter table public.user_memory_history_summaries add column outlines jsonb not null default '{}';
alter table public.user_memory_session_state add column outlines jsonb not null default '{}';
comment on column public.user_memory_daily_summaries.outlines is 'The sentences of each text, by its column, each item with the statement it makes; empty where a model wrote it.';
comment on column public.user_memory_weekly_summaries.outlines is 'As of a day.';
comment on column public.user_memory_monthly_summaries.outlines is 'As of a day.';
comment on column public.user_memory_history_summaries.outlines is 'As of a day.';
comment on column public.user_memory_session_state.outlines is 'As of a day.';
select keepsake.disable_statistics(t.name::regclass, 'outlines')
from (values ('public.user_memory_daily_summaries'), ('public.user_memory_weekly_summaries'),
  ('public.user_memory_monthly_summaries'), ('public.user_memory_history_summaries'),
  ('public.user_memory_session_state')) as t (name);

-- As before, and the outline of a text goes with it.
create or replace function keepsake.delete_session_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
  sessions uuid[];
begin
  -- The states first, as note_turn takes them.
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    update public.user_memory_session_state as s set rolling_summary = '', outlines = '{}',
      source_ids = '{}', refresh_due_at = now()
    where s.user_id = person and s.source_ids && ids;
    with summaries as (
      delete from public.user_memory_session_summaries as s
      where s.user_id = person and s.source_ids && ids returning s.session_id
    )
    select array_agg(n.session_id) into sessions from summaries as n;
    update public.user_memory_sessions as s set summary_due_at = now()
    where s.user_id = person and s.id = any(sessions);
  end loop;
  return null;
end
$$;
