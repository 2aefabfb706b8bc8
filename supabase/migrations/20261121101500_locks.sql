-- The advisory lock of merging. Every writer of several memories takes its locks in one order, so that no two can
-- deadlock. The lock order: the person's erasure lock, the command lock of a conversation, turns
-- (keepsake.extractions) by id, settings, participations, merge locks by profile, memory rows by id, entities by key.

create function keepsake.lock_merges(person uuid, profiles text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || person || p.profile, 0))
  from (select distinct u.profile from unnest(profiles) as u (profile) order by 1) as p;
end
$$;
comment on function keepsake.lock_merges(uuid, text[]) is 'Takes the merge lock of each profile, in the order of their ids, until the transaction ends.';
revoke all on function keepsake.lock_merges(uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.lock_merges(uuid, text[]) to service_role;
