-- Postgres reads names of time zones that the functions do not know ("UTC+2", "europe/berlin"), and some otherwise ("CET").
-- There every date is marked that it may be anywhere: a period with nothing in it gets no summary. And of a profile with
-- several zones, a period is due when it ends in the first of them: whoever looks at it works out when.
create or replace function keepsake.fold_summary_marks(max_marks integer) returns integer
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
      min((d.first_date + case l.level when 'day' then interval '1 day' when 'week' then interval '7 days'
        else interval '1 month' end)::timestamp at time zone z.timezone)
    from taken as t
    join public.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    cross join lateral (
      select f.timezone as name
      union
      select c.timezone from keepsake.timezone_changes as c where c.user_id = f.user_id and c.profile_id = f.id
    ) as n
    cross join lateral (
      select keepsake.known_timezone(n.name) as timezone
      union
      select e.timezone from (values ('Etc/GMT-14'), ('UTC'), ('Etc/GMT+12')) as e (timezone)
      where n.name !~ '^(UTC|GMT|[A-Z][A-Za-z_]+/[A-Z].*)$'
    ) as z
    cross join (values ('day', 1), ('week', 2), ('month', 3)) as l (level, length)
    cross join lateral (select date_trunc(l.level, t.moment at time zone z.timezone)::date as first_date) as d
    group by t.user_id, t.profile_id, l.length, l.level, d.first_date
    order by t.user_id, t.profile_id, l.length, d.first_date
    on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
    returning p.user_id
  ), contexts as (
    insert into keepsake.due_contexts as x (user_id, profile_id, due_at)
    select distinct f.user_id, f.id, 'epoch'::timestamptz from taken as t
    join public.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    where (select count(*) from folded) >= 0  -- the periods first, as whoever writes the summary of a day locks them
    order by f.user_id, f.id
    on conflict (user_id, profile_id) do update set due_at = least(x.due_at, x.not_before), is_changed = true
  )
  select count(*)::integer from taken
$$;
