-- Restricts a memory to one persona: only conversations with that persona use it. It can be undone.

create function keepsake.set_memory_persona(memory_id uuid, persona_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', case when persona_id is null then 'tell every persona'
    else 'tell one persona alone' end);
  touched bigint;
begin
  perform keepsake.require_memory(set_memory_persona.memory_id);
  if char_length(persona_id) > 200 or persona_id !~ '\S' or not keepsake.is_clean_text(persona_id) then
    raise exception using errcode = 'PT400', message = 'A persona has a name of 1 to 200 characters; null is every one.';
  end if;
  perform keepsake.lock_merges(m.user_id, array[m.profile_id::text])
  from public.user_memory as m where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid());
  update public.user_memory as m set persona_id = set_memory_persona.persona_id
  where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid())
    and m.persona_id is distinct from set_memory_persona.persona_id;
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'Another memory says something about the same thing there.',
    hint = 'Forget one of the two first.';
end
$$;
comment on function keepsake.set_memory_persona(uuid, text) is 'Restricts a memory of the caller to one persona; null is every persona.';
revoke all on function keepsake.set_memory_persona(uuid, text) from public, anon, authenticated;
grant execute on function keepsake.set_memory_persona(uuid, text) to authenticated;

create function public.set_memory_persona(memory_id uuid, persona_id text default null) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.set_memory_persona(memory_id, persona_id);
end;
comment on function public.set_memory_persona(uuid, text) is 'Say which persona alone may know one of your memories; without one, every persona.';
revoke all on function public.set_memory_persona(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.set_memory_persona(uuid, text) to authenticated;
