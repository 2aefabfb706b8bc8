-- The tables of the chats stand in `public`, where a frontend reads them through REST, as far as their names are free there;
-- conversations, messages and summaries only together. Then views under their caller's rights take their names in
-- keepsake_chats, by which all that reads or writes chats names them.

do $$
declare
  chat_table text;
  chats constant text[] := array['conversations', 'messages', 'conversation_summaries'];
  -- Tables whose name, or that of one of their indexes, a relation in public has.
  taken constant text[] := array(
    select distinct coalesce(t.relname, k.relname)::text from pg_catalog.pg_class as k
    left join pg_catalog.pg_index as i on i.indexrelid = k.oid
    left join pg_catalog.pg_class as t on t.oid = i.indrelid
    where k.relnamespace = 'keepsake_chats'::regnamespace and pg_catalog.to_regclass('public.' || k.relname) is not null
  );
  is_taken constant boolean := taken && chats;
begin
  if is_taken then
    raise warning 'The application has tables of chats, with names of Keepsake''s. They stay as they are, and no chat in them is read: run `keepsake adopt`, whose migration copies them.';
  end if;
  foreach chat_table in array chats || array['user_profile_list', 'conversations_participants'] loop
    continue when chat_table = any (taken) or (is_taken and chat_table = any (chats));
    execute format('alter table keepsake_chats.%1$I set schema public;
      create view keepsake_chats.%1$I with (security_invoker = true) as select * from public.%1$I;
      revoke all on keepsake_chats.%1$I from public, anon, authenticated, service_role;
      grant select, insert, update, delete on keepsake_chats.%1$I to service_role;
      grant select on keepsake_chats.%1$I to authenticated', chat_table);
  end loop;
end
$$;
