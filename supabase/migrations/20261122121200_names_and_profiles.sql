-- What a person may write without a function reading it first is bounded by its form: a name that is given to an entity
-- looks like a name, and a person has at most 100 profiles.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create or replace function keepsake.validate_entity_name(name text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if name is null or keepsake.entity_slug(name) = '' or char_length(name) > 120 or name ~ '[\t\n]'
    or not keepsake.is_clean_text(name) then
    raise exception using errcode = 'PT400', message = 'A name has 1 to 120 characters, a letter or digit among them, on one line.';
  elsif array_length(regexp_split_to_array(btrim(name), '\s+'), 1) > 8 or name ~ '[@:;<>{}|\\=_]'
    or char_length(regexp_replace(name, '\D', '', 'g')) > 4
    or exists (  -- a long word of letters and digits is a key
      select from regexp_split_to_table(name, '\s+') as w (word) where w.word ~ '\d' and char_length(w.word) > 12
    ) then
    raise exception using errcode = 'PT400', message = 'This does not look like a name.',
      hint = 'A name has at most 8 words and 4 digits, and no @ : ; < > { } | \ = _.';
  end if;
  return btrim(name);
end
$$;

create function keepsake.limit_profiles() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from (
    select from public.user_profile_list as p where p.user_id = new.user_id limit 100
  ) as p) >= 100 then
    raise exception using errcode = 'PT409', message = 'A person has at most 100 profiles.';
  end if;
  return new;
end
$$;
comment on function keepsake.limit_profiles() is 'Keeps a person, who may insert as many rows as one request holds, from having more than 100 profiles.';
revoke all on function keepsake.limit_profiles() from public, anon, authenticated;
create trigger keepsake_05_limit_profiles before insert on public.user_profile_list
  for each row execute function keepsake.limit_profiles();
