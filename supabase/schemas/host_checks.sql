-- Checks the host's tables before anything is created, and reports every incompatibility in one list. An application that
-- `keepsake adopt` connects keeps its tables for itself: Keepsake's stand beside them, and only copies are read.

create function keepsake.has_unique_key(relation regclass, columns text[]) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_index as i
    where i.indrelid = relation and i.indisunique and i.indisvalid and i.indpred is null
      and (
        select array_agg(a.attname::text order by a.attname)
        from unnest(i.indkey[0:i.indnkeyatts - 1]) as k (attnum)
        join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
      ) = (select array_agg(c order by c) from unnest(columns) as c)
  )
$$;
comment on function keepsake.has_unique_key(regclass, text[]) is 'Whether the table has a unique index on exactly these columns, in any order.';

create function keepsake.host_columns()
returns table (of_table text, column_name text, types text[], is_required boolean)
language sql immutable set search_path = '' as $$
  values
    ('user_profile_list', 'id', array['uuid'], true), ('user_profile_list', 'user_id', array['uuid'], true),
    ('user_profile_list', 'is_primary', array['boolean'], false), ('user_profile_list', 'name', array['text'], false),
    ('user_profile_list', 'nickname', array['text'], false), ('user_profile_list', 'pronouns', array['text'], false),
    ('user_profile_list', 'timezone', array['text'], false), ('user_profile_list', 'locale', array['text'], false),
    ('user_profile_list', 'birth_chart', array['jsonb'], false),
    ('conversations', 'id', array['uuid'], true), ('conversations', 'user_id', array['uuid'], true),
    ('conversations', 'profile_id', array['uuid'], false), ('conversations', 'mode', array['text', 'enum'], false),
    ('conversations', 'persona_id', array['text'], false), ('conversations', 'memory_enabled', array['boolean'], false),
    ('conversations', 'title', array['text'], false),
    ('conversations_participants', 'conversation_id', array['uuid'], true),
    ('conversations_participants', 'user_id', array['uuid'], true),
    ('conversations_participants', 'profile_id', array['uuid'], false),
    ('conversations_participants', 'memory_enabled', array['boolean'], false),
    ('conversations_participants', 'remember_since', array['timestamp with time zone'], false),
    ('messages', 'id', array['uuid'], true), ('messages', 'conversation_id', array['uuid'], true),
    ('messages', 'user_id', array['uuid'], true), ('messages', 'role', array['text', 'enum'], true),
    ('messages', 'content', array['text'], true), ('messages', 'created_at', array['timestamp with time zone'], true),
    ('messages', 'meta', array['jsonb'], false), ('messages', 'turn_index', array['integer', 'smallint', 'bigint'], false),
    ('conversation_summaries', 'conversation_id', array['uuid'], true),
    ('conversation_summaries', 'summary', array['text'], false),
    ('conversation_summaries', 'messages_covered', array['integer', 'smallint', 'bigint'], false),
    ('conversation_summaries', 'through_message_id', array['uuid'], false),
    ('conversation_summaries', 'updated_at', array['timestamp with time zone'], false)
$$;
comment on function keepsake.host_columns() is 'The columns that Keepsake uses in the host''s tables; one that is not required is added when it is missing.';

create function keepsake.host_table_problems(relation regclass) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  table_name text := (select relname from pg_catalog.pg_class where oid = relation);
  qualified_name text := 'public.' || table_name;
  missing integer;
  affected bigint;
begin
  if (select relkind not in ('r', 'p') from pg_catalog.pg_class where oid = relation) then
    return next format('%s is not a table', qualified_name);
    return;
  end if;
  if not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = relation) then
    return next format('%s belongs to another role: run the migrations as its owner', qualified_name);
  end if;
  return query
    select format('service_role may not %s %s: grant it', p.privilege, qualified_name)
    from unnest(array['select', 'insert', 'update']) as p (privilege)
    where not pg_catalog.has_table_privilege('service_role', relation, p.privilege);

  return query
    with found as (
      select a.attname::text as name,
        case when t.typtype = 'e' then 'enum' when t.typname = 'varchar' then 'text'
          else pg_catalog.format_type(a.atttypid, null) end as type
      from pg_catalog.pg_attribute as a join pg_catalog.pg_type as t on t.oid = a.atttypid
      where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    )
    select case
        when f.name is null then format('%s has no column %s (%s)', qualified_name, s.column_name, s.types[1])
        else format('%s.%s is %s, and must be %s', qualified_name, s.column_name, f.type, array_to_string(s.types, ' or '))
      end
    from keepsake.host_columns() as s left join found as f on f.name = s.column_name
    where s.of_table = table_name and case when f.name is null then s.is_required else f.type <> all (s.types) end;
  get diagnostics missing = row_count;

  if table_name in ('user_profile_list', 'conversations', 'messages')
    and not keepsake.has_unique_key(relation, array['id']) then
    return next format('%s.id is not its key', qualified_name);
  end if;
  if table_name = 'conversation_summaries' and not keepsake.has_unique_key(relation, array['conversation_id']) then
    return next format('%s may hold several rows for one conversation', qualified_name);
  end if;
  if table_name = 'conversations_participants' and missing = 0
    and not keepsake.has_unique_key(relation, array['conversation_id', 'user_id']) then
    execute format('select count(*) from (select from %s group by conversation_id, user_id having count(*) > 1) as t', relation)
      into affected;
    if affected > 0 then
      return next format('%s names a participant twice in %s conversations', qualified_name, affected);
    end if;
  end if;
  if table_name in ('conversations', 'conversations_participants') and missing = 0
    and to_regclass('public.user_profile_list') is not null
    and 2 = (select count(*) from pg_catalog.pg_attribute as a
      where a.attname in ('user_id', 'profile_id') and a.attrelid = relation and not a.attisdropped)
    and not exists (select from keepsake.host_table_problems(to_regclass('public.user_profile_list')))
  then
    execute format('select count(*) from %s as t where t.profile_id is not null and not exists (
      select from public.user_profile_list as p where p.id = t.profile_id and p.user_id = t.user_id)', relation) into affected;
    if affected > 0 then
      return next format('%s names a profile of somebody else, or none that exists, in %s rows', qualified_name, affected);
    end if;
  end if;
  if table_name = 'user_profile_list' and missing = 0 and exists (
    select from pg_catalog.pg_attribute where attrelid = relation and attname = 'is_primary' and not attisdropped
  ) then
    execute format('select count(*) from (select from %s where is_primary group by user_id having count(*) > 1) as t', relation)
      into affected;
    if affected > 0 then
      return next format('%s has two primary profiles for %s people: each may have one', qualified_name, affected);
    end if;
  end if;
end
$$;
comment on function keepsake.host_table_problems(regclass) is 'The incompatibilities of one host table, one line each.';

create function keepsake.host_problems() returns setof text
language sql stable set search_path = '' as $$
  select format('role %s does not bypass row-level security, which Keepsake''s private functions rest on', current_user)
  where not (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user)
  union all
  select 'schema public already has a type memory_type'
  where pg_catalog.to_regtype('public.memory_type') is not null
  union all
  select format('public.%s already exists and is not Keepsake''s', t.name)
  from unnest(array['user_memory', 'user_memory_settings']) as t (name)
  where pg_catalog.to_regclass('public.' || t.name) is not null
  union all
  select format('%s.%s must be given on insert, so the owner''s row cannot be kept in step', a.attrelid::regclass, a.attname)
  from pg_catalog.pg_attribute as a
  where pg_catalog.to_regnamespace('chat_copies') is null and a.attrelid = pg_catalog.to_regclass('public.conversations_participants')
    and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''
    and a.attname not in ('conversation_id', 'user_id')
  union all
  select format('public.%s has no value ''%s'' in %s', v.of_table, v.label, v.column_name)
  from (values ('messages', 'role', 'user'), ('messages', 'role', 'assistant'), ('conversations', 'mode', 'swiss'))
    as v (of_table, column_name, label)
  join pg_catalog.pg_attribute as a
    on a.attrelid = pg_catalog.to_regclass('public.' || v.of_table) and a.attname = v.column_name
  join pg_catalog.pg_type as t on t.oid = a.atttypid and t.typtype = 'e'
  where pg_catalog.to_regnamespace('chat_copies') is null and not exists (select from pg_catalog.pg_enum as e where e.enumtypid = t.oid and e.enumlabel = v.label)
  union all
  select f.problem
  from (values ('user_profile_list'), ('conversations'), ('conversations_participants'), ('messages'),
    ('conversation_summaries')) as t (name)
  cross join lateral keepsake.host_table_problems(pg_catalog.to_regclass('public.' || t.name)) as f (problem)
  where pg_catalog.to_regnamespace('chat_copies') is null and pg_catalog.to_regclass('public.' || t.name) is not null
$$;
comment on function keepsake.host_problems() is 'All incompatibilities of this database with Keepsake, one line each; asked once, before any table is created.';

-- What fits serves as it is: it is completed beside what is created, and show_chats.sql puts all of it into `public`. Where the
-- migration of `keepsake adopt` was applied before this one, which makes chat_copies, every table of the host stays as it is.
do $$
declare
  problems text := (select string_agg('  - ' || p.problem, e'\n') from keepsake.host_problems() as p (problem));
  fitting text;
begin
  if problems is not null then
    raise exception using
      message = e'this database does not fit Keepsake yet:\n' || problems,
      hint = 'Mend these, and run the migrations again; nothing has been changed in your tables.';
  end if;
  if pg_catalog.to_regnamespace('chat_copies') is null then
    foreach fitting in array array['user_profile_list', 'conversations', 'conversations_participants', 'messages', 'conversation_summaries'] loop
      execute format('alter table if exists public.%I set schema keepsake_chats', fitting);
    end loop;
  end if;
end
$$;
