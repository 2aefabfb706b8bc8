-- Whoever changes several memories of a person takes the same locks in the same order: first the merge's, profile by
-- profile, then the rows by id. So nobody waits in a circle, and a name on a profile never collides with one just said.

create function keepsake.hold_merges(person uuid, profiles text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || person || p.profile, 0))
  from (select distinct u.profile from unnest(profiles) as u (profile) order by 1) as p;
end
$$;
comment on function keepsake.hold_merges(uuid, text[]) is 'Waits for the merges into these profiles of a person, and lets none begin until the transaction ends.';
revoke all on function keepsake.hold_merges(uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.hold_merges(uuid, text[]) to service_role;
