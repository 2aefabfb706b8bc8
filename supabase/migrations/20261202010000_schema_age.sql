-- Readiness asks whether the schema is older than the code: the history of migrations is the owner's, so a function answers.

create function keepsake.missing_migrations(versions text[]) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  return (
    select coalesce(array_agg(v.version order by v.version) filter (where h.version is null), '{}')
    from unnest(versions) as v (version)
    left join supabase_migrations.schema_migrations as h on h.version = v.version
    having count(h.version) > 0
  );
exception when insufficient_privilege then
  return '{}';
end
$$;
comment on function keepsake.missing_migrations(text[]) is 'The versions of these migrations that are not applied, in order; empty or null where the history does not say: somebody else applied them, or squashed them.';
revoke all on function keepsake.missing_migrations(text[]) from public, anon, authenticated;
grant execute on function keepsake.missing_migrations(text[]) to service_role;
