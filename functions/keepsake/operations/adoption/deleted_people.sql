-- A person whom the application deletes is deleted here too, with everything that is remembered of them.
create function chat_copies.delete_person() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.users as u where u.id = {old_person} and u.raw_app_meta_data ->> 'made_by' = 'keepsake';
  return null;
exception when others then
  raise warning 'an account is not deleted for Keepsake: %', sqlstate;
  return null;
end $$;
create trigger delete_person_copy after delete on {people_table} for each row execute function chat_copies.delete_person();

