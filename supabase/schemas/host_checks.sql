-- Checks the database before anything is created, and reports in one list all that is in the way. What belongs to the
-- application stays as it is: where it has tables of chats with names of Keepsake's, Keepsake's own stand in keepsake_chats.
-- `keepsake adopt` runs this too, before it writes anything.

do $$
declare
  problems text;
begin
  select string_agg('  - ' || p.problem, e'\n') into problems from (
    select format('role %s does not bypass row-level security, which Keepsake''s private functions rest on', current_user) as problem
    where not (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user)
    union all
    select format('the schema %s already exists and is not Keepsake''s', n.nspname) from pg_catalog.pg_namespace as n
    where n.nspname in ('keepsake', 'keepsake_chats')
    union all
    select 'schema public already has a type memory_type' where pg_catalog.to_regtype('public.memory_type') is not null
    union all
    select format('public.%s already exists and is not Keepsake''s', t.typname) from pg_catalog.pg_type as t
    where t.typnamespace = 'public'::regnamespace and starts_with(t.typname, 'user_memory')
    union all
    select format('public.%s already exists, and a function of Keepsake''s has this name', f.proname) from pg_catalog.pg_proc as f
    where f.pronamespace = 'public'::regnamespace and f.proname in (
      'add_entity_alias', 'agree_to_memory', 'agree_to_memory_for', 'answer_pending_operation', 'clear_my_memories', 'confirm_alias',
      'confirm_memory', 'end_memory', 'forget_memory', 'forget_place', 'forget_summary', 'forget_todo', 'memory_operations',
      'memory_overview', 'memory_participation', 'memory_profiles', 'pending_operations', 'refuse_alias', 'remove_entity_alias',
      'rename_entity', 'restore_memory', 'save_message', 'search_user_memory', 'set_memory_persona', 'source_message', 'undo_operation'
    )
  ) as p;
  if problems is not null then
    raise exception using
      message = e'this database does not fit Keepsake yet:\n' || problems,
      hint = 'Nothing has been changed.';
  end if;
end
$$;
