-- Name, nickname and pronouns of a primary profile become memories.

-- The name in a profile is as important as the name that a person says: who they are (3).
create function keepsake.store_profile_fact(of_profile keepsake_chats.user_profile_list, attribute text, content text, template text)
returns void
language plpgsql set search_path = '' as $$
declare
  value_slug text := nullif(left(trim('_' from regexp_replace(lower(content), '\W+', '_', 'g')), 60), '');
  key text := 'fact|person|self|' || attribute;
  old_id uuid;
begin
  if exists (
    select from public.user_memory as m
    where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
      and m.status = 'active' and m.persona_id is null and (m.source <> 'seeded_profile' or m.value = value_slug)
  ) then
    return;  -- the person stated it themselves, or it is stored already
  end if;
  update public.user_memory as m set status = 'superseded', valid_to = now()
  where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
    and m.status = 'active' and m.persona_id is null
  returning m.id into old_id;
  if value_slug is null or char_length(content) > 200 or content ~ '[\t\n]' or not keepsake.is_clean_text(content) then
    return;
  end if;
  insert into public.user_memory (user_id, profile_id, memory_text, memory_type, confidence_score, subtype, entity_type,
    memory_key, value, importance, entity_refs, source, supersedes_id)
  values (of_profile.user_id, of_profile.id, format(template, btrim(content)), 'fact', 0.9, 'identity', 'person',
    key, value_slug, case attribute when 'name' then 3 else 2 end, '{person:self}', 'seeded_profile', old_id);
end
$$;
comment on function keepsake.store_profile_fact(keepsake_chats.user_profile_list, text, text, text) is 'Stores one attribute of a profile as a memory, which supersedes the previous one.';

create function keepsake.store_profile_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not coalesce(old.is_primary, false) then
    -- Memory starts now in the conversations that use this profile already.
    update keepsake_chats.conversations_participants as p set remember_since = now()
    where p.user_id = new.user_id and p.profile_id = new.id;
  end if;
  if exists (
    select from public.user_memory_settings as s
    where s.user_id = new.user_id and not (s.building and s.enabled and 'fact' = any (s.allowed_types))
  ) then
    return null;
  end if;
  perform keepsake.lock_merges(new.user_id, array[new.id::text]);
  perform keepsake.store_profile_fact(new, 'name', new.name, 'Name is %s');
  perform keepsake.store_profile_fact(new, 'nickname', new.nickname, 'Goes by %s');
  perform keepsake.store_profile_fact(new, 'pronouns', new.pronouns, 'Pronouns are %s');
  return null;
end
$$;
comment on function keepsake.store_profile_facts() is 'Stores the attributes of a new or changed primary profile, where the person''s settings allow it.';
create trigger keepsake_20_store_new_profile_facts after insert on keepsake_chats.user_profile_list
  for each row when (new.is_primary) execute function keepsake.store_profile_facts();
create trigger keepsake_20_store_profile_facts after update of is_primary, name, nickname, pronouns on keepsake_chats.user_profile_list
  for each row when (new.is_primary and (new.is_primary, new.name, new.nickname, new.pronouns)
    is distinct from (old.is_primary, old.name, old.nickname, old.pronouns))
  execute function keepsake.store_profile_facts();

-- A conversation in the mode "profile" uses its owner's primary profile: both are linked as soon as both exist, and
-- memory starts at that moment. Where memory had started before, the person's choice stays.

create function keepsake.link_profile_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or not exists (
    select from keepsake_chats.conversations_participants as p
    where p.conversation_id = new.id and p.user_id = new.user_id and p.remember_since is not null
  ) then
    new.profile_id := (select f.id from keepsake_chats.user_profile_list as f where f.user_id = new.user_id and f.is_primary);
  end if;
  return new;
end
$$;
comment on function keepsake.link_profile_conversation() is 'Sets the primary profile of the owner on a conversation in the mode profile.';
create trigger keepsake_05_link_new_profile_conversation before insert on keepsake_chats.conversations
  for each row when (new.mode::text = 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_conversation();
create trigger keepsake_05_link_profile_conversation before update of mode on keepsake_chats.conversations
  for each row when (new.mode::text = 'profile' and old.mode::text is distinct from 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_conversation();

create function keepsake.link_unlinked_conversations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update keepsake_chats.conversations as c set profile_id = new.id
  where c.user_id = new.user_id and c.mode::text = 'profile' and c.profile_id is null
    and not exists (
      select from keepsake_chats.conversations_participants as p
      where p.conversation_id = c.id and p.user_id = c.user_id and p.remember_since is not null
    );
  return null;
end
$$;
comment on function keepsake.link_unlinked_conversations() is 'Sets a new primary profile on the conversations in the mode profile that have none.';
create trigger keepsake_30_link_new_profile after insert on keepsake_chats.user_profile_list
  for each row when (new.is_primary) execute function keepsake.link_unlinked_conversations();
create trigger keepsake_30_link_profile after update of is_primary on keepsake_chats.user_profile_list
  for each row when (new.is_primary and old.is_primary is distinct from true)
  execute function keepsake.link_unlinked_conversations();

-- What a person may write without a function reading it first is bounded by its form: a name that is given to an entity
-- looks like a name, and a person has at most 100 profiles.

create function keepsake.limit_profiles() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from (
    select from keepsake_chats.user_profile_list as p where p.user_id = new.user_id limit 100
  ) as p) >= 100 then
    raise exception using errcode = 'PT409', message = 'A person has at most 100 profiles.';
  end if;
  return new;
end
$$;
comment on function keepsake.limit_profiles() is 'Keeps a person, who may insert as many rows as one request holds, from having more than 100 profiles.';
create trigger keepsake_05_limit_profiles before insert on keepsake_chats.user_profile_list
  for each row execute function keepsake.limit_profiles();

-- A birth chart in a format that Keepsake does not know is refused where it is written, with what is wrong. The formats are
-- those of functions/keepsake/domain/astrology/birth_chart.py. In a host's own table other formats stay allowed, because the
-- host may have uses of its own for them; such a chart has no transits.

create function keepsake.find_birth_fault(birth jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  written text := case when birth ? 'datetime' then birth ->> 'datetime' else (birth ->> 'date') || 'T' || (birth ->> 'time') end;
  moment timestamp;
begin
  if written is null
    or written !~ '^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$' then
    return 'birth needs a datetime, or a date and a time, in ISO 8601';
  end if;
  begin
    moment := written::timestamp;
  exception when datetime_field_overflow or invalid_datetime_format then
    return 'birth needs a datetime, or a date and a time, in ISO 8601';
  end;
  if written !~ '(Z|[+-]\d{2}:?\d{2})$' or written ~ '^\d{4}-\d{2}-\d{2}$' then
    if not exists (select from pg_catalog.pg_timezone_names as z where z.name = birth ->> 'timezone') then
      return 'birth needs a timezone, or a datetime with an offset';
    end if;
  end if;
  if moment < '1800-01-01' or moment >= '2200-01-01' then
    return 'birth is not between 1800 and 2200';
  end if;
  return null;
end
$$;
comment on function keepsake.find_birth_fault(jsonb) is 'What is wrong with the moment of birth in a chart; null where nothing is.';

create function keepsake.find_position_fault(point text, part jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  signs constant text[] := array['aries', 'taurus', 'gemini', 'cancer', 'leo', 'virgo', 'libra', 'scorpio', 'sagittarius',
    'capricorn', 'aquarius', 'pisces'];
  position jsonb := part;
  degrees constant text := '%s has neither a sign nor a number of degrees from 0 to %s';
  maximum integer := 360;
begin
  while jsonb_typeof(position) = 'object' and position ? 'longitude' loop
    position := position -> 'longitude';
  end loop;
  if jsonb_typeof(position) = 'string' and lower(position #>> '{}') = any (signs) then
    return null;
  end if;
  if jsonb_typeof(position) = 'object' and lower(position ->> 'sign') = any (signs) then
    if not position ? 'degree' then
      return null;
    end if;
    position := position -> 'degree';
    maximum := 30;
  end if;
  if jsonb_typeof(position) is distinct from 'number' or (position #>> '{}')::numeric < 0
    or (position #>> '{}')::numeric >= maximum then
    return format(degrees, point, maximum);
  end if;
  return null;
end
$$;
comment on function keepsake.find_position_fault(text, jsonb) is 'What is wrong with the position of a point of a chart; null where nothing is.';

create function keepsake.find_chart_fault(chart jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  points constant jsonb := '{"sun": "Sun", "moon": "Moon", "mercury": "Mercury", "venus": "Venus", "mars": "Mars",
    "jupiter": "Jupiter", "saturn": "Saturn", "uranus": "Uranus", "neptune": "Neptune", "pluto": "Pluto",
    "ascendant": "Ascendant", "asc": "Ascendant", "rising": "Ascendant", "midheaven": "Midheaven", "mc": "Midheaven"}';
  others constant text[] := array[
    'antivertex', 'blackmoon', 'blackmoonlilith', 'ceres', 'chiron', 'dc', 'desc', 'descendant', 'dsc',
    'earth', 'eastpoint', 'eris', 'fortuna', 'fortune', 'ic', 'imumcoeli', 'juno', 'ketu', 'lilith',
    'lotoffortune', 'meanlilith', 'meannode', 'meannorthnode', 'meansouthnode', 'node', 'northnode',
    'osculatinglilith', 'pallas', 'partoffortune', 'rahu', 'southnode', 'truelilith', 'truenode',
    'truenorthnode', 'truesouthnode', 'vertex', 'vesta'
  ];
  unknown text;
  planets jsonb;
begin
  if jsonb_typeof(chart) is distinct from 'object' or chart = '{}' then
    return 'it is not an object with members';
  end if;
  if jsonb_typeof(chart -> 'birth') = 'object' then
    return keepsake.find_birth_fault(chart -> 'birth');
  end if;
  planets := nullif(case when chart ? 'planets' then chart -> 'planets' else chart -> 'positions' end, 'null');
  if planets is null and not exists (select from jsonb_object_keys(chart) as k (name) where points ? lower(k.name)) then
    return 'it has neither planets nor birth';
  end if;
  if jsonb_typeof(planets) = 'array' then
    if exists (select from jsonb_array_elements(planets) as e (part) where not coalesce(e.part ? 'name', false)
      or jsonb_typeof(e.part) <> 'object') then
      return 'planets is neither an object nor a list of objects with a name';
    end if;
    planets := (select jsonb_agg(jsonb_build_array(e.part ->> 'name', e.part)) from jsonb_array_elements(planets) as e (part));
  elsif jsonb_typeof(planets) = 'object' then
    planets := (select jsonb_agg(jsonb_build_array(e.key, e.value)) from jsonb_each(planets) as e);
  elsif planets is not null then
    return 'planets is neither an object nor a list of objects with a name';
  end if;
  select min(e.part ->> 0) into unknown from jsonb_array_elements(planets) as e (part)
  where not points ? lower(e.part ->> 0) and regexp_replace(lower(e.part ->> 0), '[^a-z]', '', 'g') <> all (others);
  if unknown is not null then
    return left(unknown, 40) || ' is no planet, and no other point of a chart';
  end if;
  return (
    select f.fault
    from (
      select e.part ->> 0 as name, e.part -> 1 as part from jsonb_array_elements(planets) as e (part)
      union all
      select e.key, e.value from jsonb_each(chart) as e
    ) as p
    cross join lateral keepsake.find_position_fault(points ->> lower(p.name), p.part) as f (fault)
    where points ? lower(p.name) and f.fault is not null
    order by f.fault limit 1
  );
end
$$;
comment on function keepsake.find_chart_fault(jsonb) is 'Why a birth chart has no known format; null where it has one.';

create function keepsake.refuse_unknown_chart() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  fault text := keepsake.find_chart_fault(new.birth_chart);
begin
  if fault is not null then
    raise exception using errcode = 'check_violation', message = 'The birth chart has an unknown format.',
      detail = 'birth_chart: ' || fault,
      hint = 'Positions ("planets"), signs, or the moment of birth ("birth"), as docs/design.md shows them.';
  end if;
  return new;
end
$$;
comment on function keepsake.refuse_unknown_chart() is 'Refuses a birth chart in an unknown format, and says what is wrong.';

grant execute on function keepsake.find_birth_fault(jsonb), keepsake.find_position_fault(text, jsonb),
  keepsake.find_chart_fault(jsonb) to service_role;

-- Charts that are there already stay until they are written again.
do $$
begin
  if pg_catalog.obj_description(to_regclass('keepsake_chats.user_profile_list'))
    = 'A person''s profiles; memory is made only for the primary one.' then
    create trigger keepsake_10_refuse_unknown_chart_of_new before insert on keepsake_chats.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null')
      execute function keepsake.refuse_unknown_chart();
    create trigger keepsake_10_refuse_unknown_chart before update of birth_chart on keepsake_chats.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null'
        and new.birth_chart is distinct from old.birth_chart)
      execute function keepsake.refuse_unknown_chart();
  end if;
end
$$;
