-- Written by `keepsake adopt`; runs after Keepsake's migrations. The REST API does not show this schema, and
-- `drop schema chat_copies cascade` takes all of the file back.
create schema chat_copies;

create function chat_copies.text_of(content jsonb) returns text language plpgsql immutable set search_path = '' as $$
begin  -- not in SQL: Postgres would plan it anew for each message
  case jsonb_typeof(content)
    when 'string' then
      return content #>> '{}';
    when 'array' then
      -- What ends in a space goes on in the next part; else the next one is a line of its own.
      return (select coalesce(rtrim(string_agg(t.said || case when t.said ~ '\s$' then '' else E'\n' end, '' order by p.place), E'\n'), '')
        from jsonb_array_elements(content) with ordinality as p (part, place)
        cross join lateral (select case when jsonb_typeof(p.part) = 'string' then p.part #>> '{}' else p.part ->> 'text' end) as t (said)
        where jsonb_typeof(p.part) = 'string' or p.part ->> 'type' in ('text', 'input_text', 'output_text'));
    when 'object' then
      return coalesce(chat_copies.text_of(content -> 'parts'), chat_copies.text_of(content -> 'content'), content ->> 'text', '');
    else
      return null;
  end case;
end $$;
comment on function chat_copies.text_of(jsonb) is 'The text of a message that is kept as JSON: a string, a list of parts, or an object with one of them.';

