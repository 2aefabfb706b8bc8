-- A memory's end is a date that every client can read: no infinity, no year beyond 9999 nor before 1. One that never
-- ends has none.

alter table public.user_memory
  add constraint user_memory_expires_at check (
    expires_at > timestamptz '0001-01-03 00:00:00+00' and expires_at < timestamptz '9999-12-29 00:00:00+00'
  ) not valid;
update public.user_memory set expires_at = null where expires_at >= timestamptz '9999-12-29 00:00:00+00';
update public.user_memory set expires_at = timestamptz '1970-01-01 00:00:00+00'
where expires_at <= timestamptz '0001-01-03 00:00:00+00';
alter table public.user_memory validate constraint user_memory_expires_at;
