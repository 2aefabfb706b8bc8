create function chat_copies.repair(most integer) returns integer language plpgsql security definer set search_path = '' as $$
declare
  failure record;
  repaired integer := 0;
begin
  for failure in select f.kind, f.id from chat_copies.failures as f order by f.kind, f.attempts, f.failed_at limit most for update skip locked loop
    begin
      case failure.kind
        when 'chat' then perform chat_copies.repair_chat(failure.id);
        when 'message' then perform chat_copies.repair_message(failure.id);
      end case;
      delete from chat_copies.failures as f where f.kind = failure.kind and f.id = failure.id;
      repaired := repaired + 1;
    exception when others then
      perform chat_copies.note_failure(failure.kind, failure.id, sqlstate);
    end;
  end loop;
  return repaired;
end $$;
comment on function chat_copies.repair(integer) is 'Copies again what could not be copied; returns how many rows it has copied. run-due-jobs calls it.';
revoke all on function chat_copies.repair(integer) from public, anon, authenticated;
grant execute on function chat_copies.repair(integer) to service_role;
grant usage on schema chat_copies to service_role;

create function chat_copies.counts() returns table (found bigint, readable bigint, without_owner bigint, deleted bigint, without_account bigint, failed bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), count(k.id), count(*) filter (where c.{owner} is null), count(*) filter (where c.{owner} is not null and {c_is_deleted}),
    count(*) filter (where c.{owner} is not null and not {c_is_deleted} and u.id is null), (select count(*) from chat_copies.failures)
  from {chats} as c
  left join keepsake_chats.conversations as k on k.id = {c_chat_id}
  left join auth.users as u on u.id = {c_owner}
$$;
comment on function chat_copies.counts() is 'How many chats of the application there are, how many of them Keepsake can read, and why not the others.';
revoke all on function chat_copies.counts() from public, anon, authenticated;

