-- A search says no more than a memory can: what is longer finds nothing more, and tens of thousands of words kept the
-- database busy for seconds.

create or replace function public.search_user_memory(query text, types public.memory_type[] default null, max_results integer default 20)
returns setof public.user_memory
language sql stable security invoker set search_path = ''
begin atomic
  select found from keepsake.search_user_memory(left(query, 500), types, max_results) as found;
end;
