-- Live updates where Supabase Realtime is: each statement that changes a person's memories or to-dos sends one message on their private topic
-- of Broadcast, in its own transaction. It says nothing of what changed: the panel reads again with the person's rights. Only they may listen.

create function keepsake.is_own_live_topic(topic text) returns boolean
language sql stable set search_path = '' as $$
  select topic = 'keepsake:' || (select auth.uid())
$$;
comment on function keepsake.is_own_live_topic(text) is 'Whether a topic of Realtime is that of the person who asks.';
-- An update of nothing but the counters of each context is told to nobody.
create function keepsake.send_live_update() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  counted constant text[] := array['reference_count', 'last_referenced_at'];
  people uuid[];
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  elsif tg_op = 'UPDATE' then
    select array_agg(distinct n.user_id) into people from changed as n
    join before_change as o on o.user_id = n.user_id and o.id = n.id
    where to_jsonb(n) - counted is distinct from to_jsonb(o) - counted;
  else
    select array_agg(distinct c.user_id) into people from changed as c;
  end if;
  perform realtime.send(jsonb_build_object('table', tg_table_name), 'changed', 'keepsake:' || person, true) from unnest(people) as person;
  return null;
end
$$;
comment on function keepsake.send_live_update() is 'Tells each person whose rows a statement has changed that something changed.';

create trigger keepsake_90_live_insert after insert on public.user_memory
  referencing new table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_delete after delete on public.user_memory
  referencing old table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_update after update on public.user_memory
  referencing new table as changed old table as before_change for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_insert after insert on public.user_memory_todos
  referencing new table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_update after update on public.user_memory_todos
  referencing new table as changed old table as before_change for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_delete after delete on public.user_memory_todos
  referencing old table as changed for each statement execute function keepsake.send_live_update();

-- The policy uses a function of this schema, so it goes with the schema.
create function keepsake.enable_live_updates() returns text
language plpgsql set search_path = '' as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return 'no Realtime';
  end if;
  grant execute on function keepsake.is_own_live_topic(text) to authenticated;
  execute 'drop policy if exists "People hear of their own changes" on realtime.messages';
  execute 'create policy "People hear of their own changes" on realtime.messages for select to authenticated '
    'using (realtime.messages.extension = ''broadcast'' and keepsake.is_own_live_topic((select realtime.topic())))';
  return 'enabled';
exception when insufficient_privilege then
  return 'not permitted';
end
$$;
comment on function keepsake.enable_live_updates() is
  'Lets people join their private topic of Realtime; call it again, as the owner, where Realtime comes later.';
revoke all on function keepsake.is_own_live_topic(text), keepsake.send_live_update(), keepsake.enable_live_updates()
  from public, anon, authenticated;

do $$ begin perform keepsake.enable_live_updates(); end $$;
