-- The conversation that a memory comes from, in one request: `user_memory?select=*,conversations(title)`. A computed
-- relationship of PostgREST, because the foreign key of a memory leads to the participant. The policies of
-- conversations decide, so whoever has left a conversation gets null.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function public.conversations(public.user_memory) returns setof public.conversations
language sql stable rows 1 set search_path = ''
begin atomic
  select c.* from public.conversations as c where c.id = ($1).conversation_id;
end;
comment on function public.conversations(public.user_memory) is 'The conversation that a memory comes from, to be embedded.';

revoke all on function public.conversations(public.user_memory) from public, anon, authenticated, service_role;
grant execute on function public.conversations(public.user_memory) to authenticated, service_role;
