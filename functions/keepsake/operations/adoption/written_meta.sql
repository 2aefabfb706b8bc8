-- What `record-injection` says of an answer, in the application's own column too.
create function chat_copies.write_meta() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update {messages} as m set meta = coalesce(m.meta, '{}') || new.meta where m.{message_id} = new.id;
  return null;
exception when others then
  raise warning 'meta of a message is not written for Keepsake: %', sqlstate;
  return null;
end $$;
do $$
begin  -- in keepsake_chats a view stands where the application has no such table
  execute format('create trigger write_meta after update of meta on %I.messages for each row execute function chat_copies.write_meta()',
    case when (select c.relkind from pg_class as c where c.oid = 'keepsake_chats.messages'::regclass) = 'v' then 'public' else 'keepsake_chats' end);
end $$;
