-- What Supabase granted on every new object of `public` until 2026, and older projects still do.
alter default privileges for role supabase_owner in schema public
  grant all on tables to supabase_owner, anon, authenticated, service_role;
alter default privileges for role supabase_owner in schema public
  grant all on sequences to supabase_owner, anon, authenticated, service_role;
alter default privileges for role supabase_owner in schema public
  grant all on functions to supabase_owner, anon, authenticated, service_role;
