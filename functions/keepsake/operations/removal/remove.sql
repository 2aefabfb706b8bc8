-- Written by `keepsake remove`: takes Keepsake out of this database, with everything that is remembered. It cannot be undone.

-- What pg_cron calls.
do $$ begin
  if to_regclass('cron.job') is not null then
    perform cron.unschedule(j.jobname) from cron.job as j where j.jobname like 'keepsake-%';
  end if;
end $$;

-- Keepsake's own tables. Those that hold the application's chats are dropped where they are copies, or empty.
do $$
declare
  is_copied constant boolean := to_regnamespace('chat_copies') is not null;
  made text;
  is_filled boolean;
begin
  if is_copied then
    delete from auth.users as u where u.raw_app_meta_data ->> 'made_by' = 'keepsake';
  end if;
  drop schema if exists chat_copies cascade;
  foreach made in array {tables} loop
    execute format('drop table if exists public.%I cascade', made);
  end loop;
  for made in
    select t.name from (values
      (1, 'conversation_summaries', 'The rolling summary of a chat, remade every few turns.'),
      (2, 'messages', 'What was said in a chat.'),
      (3, 'conversations_participants', 'Who takes part in a chat, and what each chose about memory there.'),
      (4, 'conversations', 'Chats; user_id owns one, others may take part in it.'),
      (5, 'user_profile_list', 'A person''s profiles; memory is made only for the primary one.')
    ) as t (place, name, comment)
    where pg_catalog.obj_description(to_regclass('public.' || t.name), 'pg_class') = t.comment
    order by t.place
  loop
    execute format('select exists (select from public.%I)', made) into is_filled;
    if is_copied or not is_filled then
      execute format('drop table public.%I cascade', made);
    else
      raise notice 'public.% holds rows of the application and stays, without the policies that asked Keepsake', made;
    end if;
  end loop;
end $$;

-- They stand on the tables of chats, which may stay.
drop function if exists public.memory_profiles(), public.memory_participation(uuid), public.source_message(uuid),
  public.save_message(uuid, uuid, uuid, text, text, boolean);
drop schema if exists keepsake_chats, keepsake cascade;
drop type if exists public.memory_type cascade;

-- The login of the functions, which another database of this cluster may use too. It owns nothing, and what it was granted here is gone.
do $$ begin
  drop role if exists keepsake_api;
exception when dependent_objects_still_exist or insufficient_privilege or object_in_use then
  raise notice 'the role keepsake_api stays: %', sqlerrm;
end $$;

do $$ begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    delete from supabase_migrations.schema_migrations as h where h.version = any ({versions});
  end if;
end $$;
