-- Counters of a person: running numbers, and rates by period.

create table keepsake.counters (
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  period_start timestamptz not null default '-infinity',
  value bigint not null default 0,
  primary key (user_id, name, period_start)
);
create index counters_period on keepsake.counters (period_start);
comment on table keepsake.counters is 'Running numbers and rates by person; period_start is -infinity for a number that never restarts.';
revoke all on keepsake.counters from public, anon, authenticated;
grant select, insert, update, delete on keepsake.counters to service_role;
