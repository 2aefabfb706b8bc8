-- Every memory gets its person's next number, which is never given out again.

create function keepsake.number_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) = 'on' and new.memory_no is not null then
    return new;
  end if;
  insert into keepsake.counters as c (user_id, name, value) values (new.user_id, 'memory_no', 1)
    on conflict (user_id, name, period_start) do update set value = c.value + 1
    returning c.value into new.memory_no;
  return new;
end
$$;
comment on function keepsake.number_memory() is 'Gives a new memory its person''s next number.';
revoke all on function keepsake.number_memory() from public, anon, authenticated;
create trigger keepsake_10_number before insert on public.user_memory
  for each row execute function keepsake.number_memory();
