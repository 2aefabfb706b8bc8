-- The host application dates its messages. A date in the future counts as now, so that no message wins over those that are
-- sent after it; a date no calendar has (infinity, before Christ) counts as the nearest usable one.

create function keepsake.message_time(created_at timestamptz, now timestamptz) returns timestamptz
language sql immutable parallel safe set search_path = ''
return case when created_at is not null then greatest(least(created_at, now), timestamptz '1900-01-01 00:00:00+00') end;
comment on function keepsake.message_time(timestamptz, timestamptz) is 'When a message counts as sent: its date, but not after now, and not before 1900.';
revoke all on function keepsake.message_time(timestamptz, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.message_time(timestamptz, timestamptz) to service_role;
