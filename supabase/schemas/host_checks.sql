-- Checks the database before anything is created, and reports in one list all that is in the way. What belongs to the
-- application stays as it is: where it has tables of chats with names of Keepsake's, Keepsake's own stand in keepsake_chats.

do $$
declare
  problems text;
begin
  select string_agg('  - ' || p.problem, e'\n') into problems from (
    select format('role %s does not bypass row-level security, which Keepsake''s private functions rest on', current_user) as problem
    where not (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user)
    union all
    select 'schema public already has a type memory_type' where pg_catalog.to_regtype('public.memory_type') is not null
    union all
    select format('public.%s already exists and is not Keepsake''s', t.name) from unnest(array['user_memory', 'user_memory_settings']) as t (name)
    where pg_catalog.to_regclass('public.' || t.name) is not null
  ) as p;
  if problems is not null then
    raise exception using
      message = e'this database does not fit Keepsake yet:\n' || problems,
      hint = 'Nothing has been changed.';
  end if;
end
$$;
