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

create or replace function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
language plpgsql set search_path = '' as $$
declare
  change keepsake.changes;
  undoing uuid;
  within text;
  touched integer := 0;
begin
  select c.* into change from keepsake.changes as c
  where c.operation_id = undo.operation and c.user_id = person order by c.seq limit 1 for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such operation, or it is not yours.';
  elsif change.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'This operation has been undone already.';
  elsif change.created_at < now() - interval '30 days' then
    raise exception using errcode = 'PT410', message = 'This operation is older than 30 days and can no longer be undone.';
  end if;

  -- The same locks as extraction's merge takes, in one order: neither sees the other's work half done. Then the rows, in
  -- the order everybody locks them in: what they are undone in would make a circle with a message that uses them.
  perform keepsake.hold_merges(person, (
    select array_agg(coalesce(c.after, c.before) ->> 'profile_id') from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person
  ));
  for within in
    select distinct c.table_name from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by 1
  loop
    execute format('select from public.%I as t where t.user_id = $1 and t.id in (select c.row_id from keepsake.changes as c
      where c.operation_id = $2 and c.user_id = $1 and c.table_name = $3) order by t.id for update', within)
      using person, undo.operation, within;
  end loop;
  undoing := keepsake.start_operation(actor, 'undo of ' || operation);
  perform set_config('keepsake.undoing', 'on', true);
  for change in
    select c.* from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by c.seq desc for update
  loop
    perform keepsake.undo_change(change);
    touched := touched + 1;
  end loop;
  perform set_config('keepsake.undoing', '', true);
  update keepsake.changes as c set undone_at = now() where c.operation_id = undo.operation and c.user_id = person;
  return keepsake.end_operation(undoing, touched) || jsonb_build_object('undone', operation);
exception
  when unique_violation then
    raise exception using errcode = 'PT409', message = 'Something newer has taken the place of what would come back.',
      hint = 'Forget the newer memory first.';
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'What the operation belonged to is gone.';
end
$$;

create or replace function keepsake.clear_my_memories() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.start_operation('user', 'clear');
  touched bigint;
begin
  perform keepsake.hold_merges((select auth.uid()), (
    select array_agg(f.id::text) from public.user_profile_list as f where f.user_id = (select auth.uid())
  ));
  perform from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status <> 'deleted' order by m.id for no key update;
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;

create or replace function keepsake.seed_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not coalesce(old.is_primary, false) then
    -- Memory starts now in the chats that had chosen it already.
    update public.conversations_participants as p set remember_since = now()
    where p.user_id = new.user_id and p.profile_id = new.id;
  end if;
  if exists (
    select from public.user_memory_settings as s
    where s.user_id = new.user_id and not (s.building and s.enabled and 'fact' = any (s.allowed_types))
  ) then
    return null;
  end if;
  perform keepsake.hold_merges(new.user_id, array[new.id::text]);
  perform keepsake.seed_memory(new, 'name', new.name, 'Name is %s');
  perform keepsake.seed_memory(new, 'nickname', new.nickname, 'Goes by %s');
  perform keepsake.seed_memory(new, 'pronouns', new.pronouns, 'Pronouns are %s');
  return null;
end
$$;
