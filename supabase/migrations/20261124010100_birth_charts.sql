-- A birth chart in a format that Keepsake does not know is refused where it is written, with what is wrong. The formats are
-- those of functions/keepsake/domain/astrology/birth_chart.py. In a host's own table other formats stay allowed, because the
-- host may have uses of its own for them; such a chart has no transits.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

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

revoke all on function keepsake.find_birth_fault(jsonb) from public, anon, authenticated;
revoke all on function keepsake.find_position_fault(text, jsonb) from public, anon, authenticated;
revoke all on function keepsake.find_chart_fault(jsonb) from public, anon, authenticated;
revoke all on function keepsake.refuse_unknown_chart() from public, anon, authenticated;
grant execute on function keepsake.find_birth_fault(jsonb), keepsake.find_position_fault(text, jsonb),
  keepsake.find_chart_fault(jsonb) to service_role;

-- Charts that are there already stay until they are written again.
do $$
begin
  if pg_catalog.obj_description(to_regclass('public.user_profile_list'))
    = 'A person''s profiles; memory is made only for the primary one.' then
    create trigger keepsake_10_refuse_unknown_chart_of_new before insert on public.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null')
      execute function keepsake.refuse_unknown_chart();
    create trigger keepsake_10_refuse_unknown_chart before update of birth_chart on public.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null'
        and new.birth_chart is distinct from old.birth_chart)
      execute function keepsake.refuse_unknown_chart();
  end if;
end
$$;
