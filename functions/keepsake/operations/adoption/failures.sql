-- What could not be copied: the application's own statement goes through, and `run-due-jobs` copies the row again.
create table chat_copies.failures (
  kind text not null check (kind in ('chat', 'message')),
  id text not null,
  error text not null,
  attempts integer not null default 1,
  failed_at timestamptz not null default now(),
  primary key (kind, id)
);
comment on table chat_copies.failures is 'Rows of the application that could not be copied, with the code of the error.';
revoke all on chat_copies.failures from public, anon, authenticated;

create function chat_copies.note_failure(kind text, id text, error text) returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into chat_copies.failures as f (kind, id, error) values (note_failure.kind, note_failure.id, note_failure.error)
  on conflict on constraint failures_pkey do update set error = excluded.error, attempts = f.attempts + 1, failed_at = now();
exception when others then
  raise warning 'a % is not copied for Keepsake: %', kind, error;
end $$;
revoke all on function chat_copies.note_failure(text, text, text) from public, anon, authenticated;

