-- What runs every minute costs the same however many messages there are: the search for lost webhooks goes on where it
-- ended, and old extractions keep only what idempotency needs.

create table keepsake.watermarks (
  name text primary key,
  reached timestamptz not null
);
comment on table keepsake.watermarks is 'Up to which moment a repeated search has looked at everything; the next one goes on from there.';
comment on column keepsake.watermarks.name is 'Which search: lost_turns.';
revoke all on keepsake.watermarks from public, anon, authenticated;
grant select, insert, update, delete on keepsake.watermarks to service_role;

create index extractions_with_results on keepsake.extractions (finished_at) where results <> '[]'::jsonb;
comment on index keepsake.extractions_with_results is 'Finished extractions that still name their memories, oldest first.';
