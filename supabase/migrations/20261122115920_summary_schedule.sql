-- Which summaries are due: a private row for each period of a profile in which something was remembered or changed. The
-- row is made with the memory, found through an index when its time has come, and removed with the summary's commit.

create table keepsake.timezone_changes (
  user_id uuid not null,
  profile_id uuid not null,
  since timestamptz not null,
  timezone text,
  primary key (user_id, profile_id, since),
  constraint timezone_changes_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.timezone_changes is 'The time zones of profiles that have changed theirs; a profile without rows has always had its present one.';
revoke all on keepsake.timezone_changes from public, anon, authenticated;
grant select, insert, update, delete on keepsake.timezone_changes to service_role;

create table keepsake.summary_periods (
  user_id uuid not null,
  profile_id uuid not null,
  level text not null constraint summary_periods_level check (level in ('day', 'week', 'month')),
  first_date date not null,
  due_at timestamptz not null,
  primary key (user_id, profile_id, level, first_date),
  constraint summary_periods_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create index summary_periods_due on keepsake.summary_periods (level, due_at);
comment on table keepsake.summary_periods is 'The periods whose summary is to be written, or written again.';
comment on column keepsake.summary_periods.due_at is 'When the period ends in the profile''s time zone, or the next attempt.';
comment on index keepsake.summary_periods_due is 'Finds what is due, whatever the number of profiles.';
revoke all on keepsake.summary_periods from public, anon, authenticated;
grant select, insert, update, delete on keepsake.summary_periods to service_role;

create function keepsake.known_timezone(timezone text) returns text
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone coalesce(known_timezone.timezone, 'UTC');
  return coalesce(known_timezone.timezone, 'UTC');
exception
  when invalid_parameter_value then
    return 'UTC';
end
$$;
comment on function keepsake.known_timezone(text) is 'The time zone, or UTC where Postgres does not know it.';
revoke all on function keepsake.known_timezone(text) from public, anon, authenticated;
grant execute on function keepsake.known_timezone(text) to service_role;

-- A moment may belong to another date in a time zone that the profile had before: then both periods are marked. A
-- period with nothing in it gets no summary.
create function keepsake.mark_summaries(person uuid, profile uuid, moments timestamptz[]) returns void
language sql set search_path = '' as $$
  insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
  select person, profile, l.level, d.first_date,
    ((d.first_date + case l.level when 'day' then interval '1 day' when 'week' then interval '7 days'
      else interval '1 month' end)::timestamp at time zone max(z.timezone))
  from public.user_profile_list as f
  cross join lateral (
    select keepsake.known_timezone(f.timezone) as timezone, 0 as age
    union
    select keepsake.known_timezone(c.timezone), 1 from keepsake.timezone_changes as c
    where c.user_id = f.user_id and c.profile_id = f.id
  ) as z
  cross join lateral unnest(moments) as m (moment)
  cross join (values ('day'), ('week'), ('month')) as l (level)
  cross join lateral (select date_trunc(l.level, m.moment at time zone z.timezone)::date as first_date) as d
  where f.user_id = person and f.id = profile and m.moment is not null and isfinite(m.moment)
  group by l.level, d.first_date
  order by l.level, d.first_date
  on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
$$;
comment on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) is 'Marks the day, week and month of these moments: their summaries are due when the period is over.';
revoke all on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) from public, anon, authenticated;
grant execute on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) to service_role;

create function keepsake.mark_summaries_of_new() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_summaries(n.user_id, n.profile_id, array_agg(distinct m.moment))
  from inserted as n cross join lateral unnest(array[n.valid_from, n.valid_to]) as m (moment)
  where n.status <> 'deleted'
  group by n.user_id, n.profile_id
  order by n.user_id, n.profile_id;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_new() is 'New memories make the summaries of their periods due.';
revoke all on function keepsake.mark_summaries_of_new() from public, anon, authenticated;
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory
  referencing new table as inserted for each statement execute function keepsake.mark_summaries_of_new();

create function keepsake.mark_summaries_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_summaries(old.user_id, old.profile_id, array[old.valid_from, old.valid_to]
    || case when tg_op = 'UPDATE' then array[new.valid_from, new.valid_to] end);
  if tg_op = 'DELETE' then
    delete from public.user_memory_daily_summaries as s where s.user_id = old.user_id
      and (old.id = any (s.memory_ids) or s.previous -> 'memory_ids' ? old.id::text);
    delete from public.user_memory_weekly_summaries as s where s.user_id = old.user_id
      and (old.id = any (s.memory_ids) or s.previous -> 'memory_ids' ? old.id::text);
    delete from public.user_memory_monthly_summaries as s where s.user_id = old.user_id
      and (old.id = any (s.memory_ids) or s.previous -> 'memory_ids' ? old.id::text);
  end if;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_changed() is 'A changed or deleted memory makes the summaries of its periods due; one that is deleted takes them along.';
revoke all on function keepsake.mark_summaries_of_changed() from public, anon, authenticated;
create trigger keepsake_60_mark_summaries after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.valid_from is distinct from new.valid_from
    or old.valid_to is distinct from new.valid_to
    or (old.status = 'deleted') is distinct from (new.status = 'deleted'))
  execute function keepsake.mark_summaries_of_changed();
create trigger keepsake_60_mark_summaries_of_deleted after delete on public.user_memory
  for each row execute function keepsake.mark_summaries_of_changed();

create function keepsake.record_timezone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.timezone_changes (user_id, profile_id, since, timezone)
  values (old.user_id, old.id, '-infinity', old.timezone) on conflict do nothing;
  insert into keepsake.timezone_changes as c (user_id, profile_id, since, timezone)
  values (new.user_id, new.id, now(), new.timezone)
  on conflict (user_id, profile_id, since) do update set timezone = excluded.timezone;
  -- What is waiting may be due earlier now; whoever looks at it works out when.
  update keepsake.summary_periods as p set due_at = least(p.due_at, now())
  where p.user_id = new.user_id and p.profile_id = new.id;
  return null;
end
$$;
comment on function keepsake.record_timezone() is 'Notes a change of a profile''s time zone, and lets the due times of its summaries be worked out again.';
revoke all on function keepsake.record_timezone() from public, anon, authenticated;
create trigger keepsake_60_record_timezone after update of timezone on public.user_profile_list
  for each row when (old.timezone is distinct from new.timezone) execute function keepsake.record_timezone();

-- What is remembered already: its periods are due.
insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
select distinct m.user_id, m.profile_id, l.level, date_trunc(l.level, m.valid_from at time zone 'UTC')::date, now()
from public.user_memory as m cross join (values ('day'), ('week'), ('month')) as l (level)
where m.status <> 'deleted'
on conflict do nothing;

select keepsake.disable_statistics('keepsake.timezone_changes'::regclass, 'timezone'),
  keepsake.disable_statistics('keepsake.summary_periods'::regclass, 'level');
