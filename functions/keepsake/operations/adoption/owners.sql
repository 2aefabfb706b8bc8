
-- No computed column: Postgres lets none take part in the foreign key to the profile.
alter table public.{chats} add column user_id uuid;
update public.{chats} as c set user_id = {c_owner};
create function chat_copies.name_owner() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.user_id := {new_owner};
  return new;
end $$;
create trigger name_owner before insert or update of {owner} on public.{chats} for each row execute function chat_copies.name_owner();
