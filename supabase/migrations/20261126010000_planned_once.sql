-- Functions that every write of a memory calls. A function in the language sql with a search_path of its own is never
-- inlined, and Postgres plans it anew at each call; one in plpgsql is planned once a connection. They do the same.

create or replace function keepsake.mark_summaries(person uuid, profile uuid, moments timestamptz[]) returns void
language plpgsql set search_path = '' as $$
begin
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct f.user_id, f.id, m.moment
  from public.user_profile_list as f cross join lateral unnest(moments) as m (moment)
  where f.user_id = person and f.id = profile and m.moment is not null and isfinite(m.moment);
end
$$;

create or replace function keepsake.is_clean_text(txt text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return txt !~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\U000E0000-\U000E01EF]';
end
$$;

create or replace function keepsake.comparable_text(txt text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return rtrim(btrim(regexp_replace(lower(txt), '\s+', ' ', 'g')), ' .!');
end
$$;
