-- Which summaries are due: a private row for each period of a profile in which something was remembered or changed. The
-- row is made with the memory, found through an index when its time has come, and removed with the summary's commit.

create table keepsake.timezone_changes (
  user_id uuid not null,
  profile_id uuid not null,
  since timestamptz not null,
  timezone text,
  primary key (user_id, profile_id, since),
  constraint timezone_changes_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.timezone_changes is 'The time zones of profiles that have changed theirs; a profile without rows has always had its present one.';
alter table keepsake.timezone_changes
  alter column timezone set statistics 0;
grant select, insert, update, delete on keepsake.timezone_changes to service_role;

create table keepsake.summary_periods (
  user_id uuid not null,
  profile_id uuid not null,
  level text not null constraint summary_periods_level check (level in ('day', 'week', 'month')),
  first_date date not null,
  due_at timestamptz not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz,
  leased_until timestamptz,
  primary key (user_id, profile_id, level, first_date),
  constraint summary_periods_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index summary_periods_due on keepsake.summary_periods (level, due_at);
comment on table keepsake.summary_periods is 'The periods whose summary is to be written, or written again.';
comment on column keepsake.summary_periods.due_at is 'When the period ends in the profile''s time zone, or the next attempt.';
comment on column keepsake.summary_periods.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
comment on column keepsake.summary_periods.leased_until is 'Until when somebody else''s job asks the model about this period too: it is asked once for everybody who spoke in a shared conversation on a day.';
comment on index keepsake.summary_periods_due is 'Finds what is due, whatever the number of profiles.';
alter table keepsake.summary_periods
  alter column level set statistics 0;
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
grant execute on function keepsake.known_timezone(text) to service_role;

-- Marking the periods of a changed memory never waits: each change appends a row, and the functions that write summaries
-- make periods of them. Two changes of memories that marked the same periods in another order were a deadlock.

create table keepsake.summary_marks (
  id bigint generated always as identity,
  user_id uuid not null,
  profile_id uuid not null,
  moment timestamptz not null,
  primary key (user_id, profile_id, id),
  constraint summary_marks_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index summary_marks_oldest on keepsake.summary_marks (id);
comment on table keepsake.summary_marks is 'Moments of memories that are new, changed or gone, until their periods are marked.';
alter table keepsake.summary_marks
  alter column moment set statistics 0;
grant select, insert, update, delete on keepsake.summary_marks to service_role;


create function keepsake.mark_summaries(person uuid, profile uuid, moments timestamptz[]) returns void
language plpgsql set search_path = '' as $$
begin
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct f.user_id, f.id, m.moment
  from keepsake_chats.user_profile_list as f cross join lateral unnest(moments) as m (moment)
  where f.user_id = person and f.id = profile and m.moment is not null and isfinite(m.moment);
end
$$;
comment on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) is 'Marks these moments: the summaries of their day, week and month are due when the period is over.';
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
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory
  referencing new table as inserted for each statement execute function keepsake.mark_summaries_of_new();

create function keepsake.mark_summaries_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_summaries(old.user_id, old.profile_id, array[old.valid_from, old.valid_to, new.valid_from, new.valid_to]);
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_changed() is 'A changed memory makes the summaries of its periods due.';
create trigger keepsake_60_mark_summaries after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.valid_from is distinct from new.valid_from
    or old.valid_to is distinct from new.valid_to or old.persona_id is distinct from new.persona_id
    or (old.status = 'deleted') is distinct from (new.status = 'deleted'))
  execute function keepsake.mark_summaries_of_changed();
create function keepsake.record_timezone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.timezone_changes (user_id, profile_id, since, timezone)
  values (old.user_id, old.id, '-infinity', old.timezone) on conflict do nothing;
  insert into keepsake.timezone_changes as c (user_id, profile_id, since, timezone)
  values (new.user_id, new.id, now(), new.timezone)
  on conflict (user_id, profile_id, since) do update set timezone = excluded.timezone;
  -- What is waiting may be due earlier now; whoever looks at it works out when.
  with waiting as (
    select p.level, p.first_date from keepsake.summary_periods as p join keepsake.summary_kinds as k on k.kind = p.level
    where p.user_id = new.user_id and p.profile_id = new.id
    order by k.rank, p.first_date for update of p
  )
  update keepsake.summary_periods as p set due_at = least(p.due_at, now()) from waiting as w
  where p.user_id = new.user_id and p.profile_id = new.id and p.level = w.level and p.first_date = w.first_date;
  return null;
end
$$;
comment on function keepsake.record_timezone() is 'Notes a change of a profile''s time zone, and lets the due times of its summaries be worked out again.';
create trigger keepsake_60_record_timezone after update of timezone on keepsake_chats.user_profile_list
  for each row when (old.timezone is distinct from new.timezone) execute function keepsake.record_timezone();

-- Once a statement, so that deleting many memories costs little a row.
create function keepsake.mark_summaries_of_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_level text;
begin
  perform keepsake.mark_summaries(d.user_id, d.profile_id, array_agg(distinct m.moment))
  from deleted as d cross join lateral unnest(array[d.valid_from, d.valid_to]) as m (moment)
  group by d.user_id, d.profile_id
  order by d.user_id, d.profile_id;
  for of_level in select k.table_name from keepsake.summary_kinds as k where k.rank is not null loop
    execute format('delete from public.%1$I as s where s.id in (
        select w.id from public.%1$I as w
        cross join lateral unnest(w.memory_ids::text[] || array(select p.id from jsonb_array_elements_text(w.previous -> ''memory_ids'') as p (id)))
          as i (memory_id)
        join deleted as d on d.id::text = i.memory_id and d.user_id = w.user_id
        where w.user_id in (select p.user_id from deleted as p)
      )', of_level);
  end loop;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_deleted() is 'Deleted memories make the summaries of their periods due, and take along those that used them.';
create trigger keepsake_60_mark_summaries_of_deleted after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.mark_summaries_of_deleted();

-- Postgres reads names of time zones that the functions do not know ("UTC+2", "europe/berlin"), and some otherwise ("CET").
-- There every date is marked that it may be anywhere: a period with nothing in it gets no summary. The same is done where a
-- profile had another zone before: a period is due when it ends in the first of its zones, and whoever looks at it works out
-- when. Periods are locked in the order of whoever writes a summary: a week before its month. The merged context of a
-- profile is due with the periods of its memories.
create function keepsake.fold_summary_marks(max_marks integer) returns integer
language sql set search_path = '' as $$
  with taken as (
    delete from keepsake.summary_marks as k
    using (
      select o.user_id, o.profile_id, o.id from keepsake.summary_marks as o order by o.id limit max_marks for update skip locked
    ) as o
    where k.user_id = o.user_id and k.profile_id = o.profile_id and k.id = o.id
    returning k.user_id, k.profile_id, k.moment
  ), folded as (
    insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
    select t.user_id, t.profile_id, l.kind, d.first_date,
      min((d.first_date + l.length)::timestamp at time zone z.timezone)
    from taken as t
    join keepsake_chats.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
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
    join keepsake.summary_kinds as l on l.rank is not null
    cross join lateral (select date_trunc(l.kind, t.moment at time zone z.timezone)::date as first_date) as d
    group by t.user_id, t.profile_id, l.rank, l.kind, d.first_date
    order by t.user_id, t.profile_id, l.rank, d.first_date
    on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
    returning p.user_id
  ), contexts as (
    insert into keepsake.due_contexts as x (user_id, profile_id, due_at)
    select distinct f.user_id, f.id, 'epoch'::timestamptz from taken as t
    join keepsake_chats.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    where (select count(*) from folded) >= 0  -- the periods first, as whoever writes the summary of a day locks them
    order by f.user_id, f.id
    on conflict (user_id, profile_id) do update set due_at = least(x.due_at, x.not_before), is_changed = true
  )
  select count(*)::integer from taken
$$;
comment on function keepsake.fold_summary_marks(integer) is 'Makes periods of the oldest marks, and returns how many marks it took.';
grant execute on function keepsake.fold_summary_marks(integer) to service_role;

-- A period is written again whenever a memory is forgotten on which its summary rests, whatever the memory's date.

create function keepsake.mark_period(person uuid, profile uuid, middle date) returns void
language sql set search_path = '' as $$
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select f.user_id, f.id, (middle + time '12:00') at time zone keepsake.known_timezone(f.timezone)
  from keepsake_chats.user_profile_list as f where f.user_id = person and f.id = profile
$$;
comment on function keepsake.mark_period(uuid, uuid, date) is 'Has the summaries of a local date written again; of a profile that is deleted nothing.';
grant execute on function keepsake.mark_period(uuid, uuid, date) to service_role;

create function keepsake.mark_resting_summaries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(s.user_id, s.profile_id, s.first_date + k.middle)
  from keepsake.period_summaries as s join keepsake.summary_kinds as k on k.kind = s.level
  where s.user_id = old.user_id and old.id = any (s.memory_ids);
  return null;
end
$$;
comment on function keepsake.mark_resting_summaries() is 'A forgotten memory makes the summaries due that rest on it.';
create trigger keepsake_60_mark_resting_summaries after update on public.user_memory
  for each row when (old.status <> 'deleted' and new.status = 'deleted')
  execute function keepsake.mark_resting_summaries();

-- A summary that is deleted with an erased memory is due again.
create function keepsake.mark_deleted_summary() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(old.user_id, old.profile_id, p.first_date + k.middle)
  from keepsake.summary_period(tg_argv[0], to_jsonb(old)) as p join keepsake.summary_kinds as k on k.kind = p.kind;
  return null;
end
$$;
comment on function keepsake.mark_deleted_summary() is 'The summary of a period that is deleted is due again.';
do $$
declare
  of_level text;
begin
  for of_level in select k.table_name from keepsake.summary_kinds as k where k.rank is not null loop
    execute format('create trigger keepsake_60_mark_deleted after delete on public.%1$I
      for each row execute function keepsake.mark_deleted_summary(%1$L)', of_level);
  end loop;
end
$$;

-- Texts that are made of memories follow a change of who may know them: which persona, and which types the person allows.

create function keepsake.mark_summaries_of_types() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowed_before public.memory_type[] := enum_range(null::public.memory_type);
begin
  if tg_op = 'UPDATE' then
    allowed_before := old.allowed_types;
  end if;
  -- By quarters of an hour, in which a day begins in every time zone: a person may have many memories.
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct m.user_id, m.profile_id, date_bin('15 minutes', d.moment, 'epoch')
  from public.user_memory as m cross join lateral unnest(array[m.valid_from, m.valid_to]) as d (moment)
  where m.user_id = new.user_id and m.status <> 'deleted'
    and (m.memory_type = any(allowed_before)) <> (m.memory_type = any(new.allowed_types)) and d.moment is not null and isfinite(d.moment)
  union
  -- Messages are read where every type is allowed.
  select e.user_id, e.profile_id, date_bin('15 minutes', e.said_at, 'epoch') from keepsake.extractions as e
  join keepsake_chats.user_profile_list as f on f.user_id = e.user_id and f.id = e.profile_id
  where e.user_id = new.user_id and e.said_at is not null
    and (allowed_before @> enum_range(null::public.memory_type)) <> (new.allowed_types @> enum_range(null::public.memory_type));
  -- Conversations, of whose newest the rolling summary is then written again.
  insert into keepsake.conversation_marks (conversation_id)
  select s.conversation_id from keepsake_chats.conversation_summaries as s
  join keepsake_chats.conversations_participants as p on p.conversation_id = s.conversation_id and p.user_id = new.user_id
  where s.generator is not null;
  update public.user_memory_session_state as s set rolling_summary = '', outlines = '{}', source_ids = '{}', message_ids = '{}'
  where s.user_id = new.user_id and s.rolling_summary <> '';
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_types() is 'Summaries that rest on memories of a type that the person allows or forbids are due, or on messages, which may be read no more or again; so are those of conversations.';
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory_settings
  for each row when (not new.allowed_types @> enum_range(null::public.memory_type)) execute function keepsake.mark_summaries_of_types();
create trigger keepsake_60_mark_summaries after update on public.user_memory_settings
  for each row when (old.allowed_types is distinct from new.allowed_types) execute function keepsake.mark_summaries_of_types();
