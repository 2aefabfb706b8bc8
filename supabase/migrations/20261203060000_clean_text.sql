-- What a person writes directly is cleaned like a message: composed (NFC), and without what no reader sees.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.clean_text(txt text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when txt ~ '^[\u0001-\u007F]*$' then txt else normalize(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(txt, '[\u2028\u2029]', ' ', 'g'),
    '(?<=[.!?,;:…])[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]+(?=[[:alpha:]])', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]', '', 'g'),
    '(?<![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])[\u200C\u200D]|[\u200C\u200D](?![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])', '', 'g'), NFC) end
$$;
comment on function keepsake.clean_text(text) is 'The text composed (NFC) and without characters that no reader sees (INVISIBLE_CHARACTERS of domain/text.py); line separators become blanks.';
revoke all on function keepsake.clean_text(text) from public, anon, authenticated;
grant execute on function keepsake.clean_text(text) to authenticated, service_role;

create function keepsake.clean_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.memory_text := keepsake.clean_text(new.memory_text);
  return new;
end
$$;
comment on function keepsake.clean_memory() is 'Cleans the text of a memory, whoever writes it.';
revoke all on function keepsake.clean_memory() from public, anon, authenticated;
create trigger keepsake_03_clean_new before insert on public.user_memory
  for each row execute function keepsake.clean_memory();
create trigger keepsake_03_clean before update of memory_text on public.user_memory
  for each row execute function keepsake.clean_memory();

create function keepsake.clean_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.name := keepsake.clean_text(new.name);
  new.notes := keepsake.clean_text(new.notes);
  return new;
end
$$;
comment on function keepsake.clean_place() is 'Cleans the name and the notes of a place.';
revoke all on function keepsake.clean_place() from public, anon, authenticated;
create trigger keepsake_03_clean before update of name, notes on public.user_memory_places
  for each row execute function keepsake.clean_place();

create function keepsake.clean_todo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.todo_text := keepsake.clean_text(new.todo_text);
  return new;
end
$$;
comment on function keepsake.clean_todo() is 'Cleans the text of a to-do.';
revoke all on function keepsake.clean_todo() from public, anon, authenticated;
create trigger keepsake_03_clean before update of todo_text on public.user_memory_todos
  for each row execute function keepsake.clean_todo();
