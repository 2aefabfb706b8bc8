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
grant select, insert, update, delete on keepsake.counters to service_role;

-- What runs every minute costs the same however many messages there are: the search for lost webhooks goes on where it
-- ended, and old extractions keep only what idempotency needs.

create table keepsake.watermarks (
  name text primary key,
  reached timestamptz not null
);
comment on table keepsake.watermarks is 'Up to which moment a repeated search has looked at everything; the next one goes on from there.';
comment on column keepsake.watermarks.name is 'Which search: lost_turns, late_turns or message_retention.';
grant select, insert, update, delete on keepsake.watermarks to service_role;
