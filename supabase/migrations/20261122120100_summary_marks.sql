-- Marking the periods of a changed memory never waits: each change appends a row, and the functions that write summaries
-- make periods of them. Two changes of memories that marked the same periods in another order were a deadlock.

create table keepsake.summary_marks (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  profile_id uuid not null,
  moment timestamptz not null,
  constraint summary_marks_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create index summary_marks_of_profile on keepsake.summary_marks (user_id, profile_id);
comment on table keepsake.summary_marks is 'Moments of memories that are new, changed or gone, until their periods are marked.';
revoke all on keepsake.summary_marks from public, anon, authenticated;
grant select, insert, update, delete on keepsake.summary_marks to service_role;

create or replace function keepsake.mark_summaries(person uuid, profile uuid, moments timestamptz[]) returns void
language sql set search_path = '' as $$
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct f.user_id, f.id, m.moment
  from public.user_profile_list as f cross join lateral unnest(moments) as m (moment)
  where f.user_id = person and f.id = profile and m.moment is not null and isfinite(m.moment)
$$;
comment on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) is 'Marks these moments: the summaries of their day, week and month are due when the period is over.';

-- A moment may belong to another date in a time zone that the profile had before: then both periods are marked. A
-- period with nothing in it gets no summary. The order in which periods are locked is that of whoever writes a summary:
-- a week before its month.
create function keepsake.fold_summary_marks(max_marks integer) returns integer
language sql set search_path = '' as $$
  with taken as (
    delete from keepsake.summary_marks as k
    where k.id in (
      select o.id from keepsake.summary_marks as o order by o.id limit max_marks for update skip locked
    )
    returning k.user_id, k.profile_id, k.moment
  ), folded as (
    insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
    select t.user_id, t.profile_id, l.level, d.first_date,
      ((d.first_date + case l.level when 'day' then interval '1 day' when 'week' then interval '7 days'
        else interval '1 month' end)::timestamp at time zone max(z.timezone))
    from taken as t
    join public.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    cross join lateral (
      select keepsake.known_timezone(f.timezone) as timezone
      union
      select keepsake.known_timezone(c.timezone) from keepsake.timezone_changes as c
      where c.user_id = f.user_id and c.profile_id = f.id
    ) as z
    cross join (values ('day', 1), ('week', 2), ('month', 3)) as l (level, length)
    cross join lateral (select date_trunc(l.level, t.moment at time zone z.timezone)::date as first_date) as d
    group by t.user_id, t.profile_id, l.length, l.level, d.first_date
    order by t.user_id, t.profile_id, l.length, d.first_date
    on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
  )
  select count(*)::integer from taken
$$;
comment on function keepsake.fold_summary_marks(integer) is 'Makes periods of the oldest marks, and returns how many marks it took.';
revoke all on function keepsake.fold_summary_marks(integer) from public, anon, authenticated;
grant execute on function keepsake.fold_summary_marks(integer) to service_role;

create or replace function keepsake.record_timezone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.timezone_changes (user_id, profile_id, since, timezone)
  values (old.user_id, old.id, '-infinity', old.timezone) on conflict do nothing;
  insert into keepsake.timezone_changes as c (user_id, profile_id, since, timezone)
  values (new.user_id, new.id, now(), new.timezone)
  on conflict (user_id, profile_id, since) do update set timezone = excluded.timezone;
  -- What is waiting may be due earlier now; whoever looks at it works out when.
  with waiting as (
    select p.level, p.first_date from keepsake.summary_periods as p
    where p.user_id = new.user_id and p.profile_id = new.id
    order by array_position(array['day', 'week', 'month'], p.level), p.first_date for update
  )
  update keepsake.summary_periods as p set due_at = least(p.due_at, now()) from waiting as w
  where p.user_id = new.user_id and p.profile_id = new.id and p.level = w.level and p.first_date = w.first_date;
  return null;
end
$$;

select keepsake.disable_statistics('keepsake.summary_marks'::regclass, 'moment');
