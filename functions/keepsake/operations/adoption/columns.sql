
-- Postgres rewrites the table for this and locks it meanwhile: do a large table at night.
alter table public.messages{additions};
