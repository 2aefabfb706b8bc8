-- Edits that were made since the request began and not screened yet, and what a memory of this persona replaces, which
-- every other persona knows. Without a persona nothing of it is read.
hidden as materialized (
  select coalesce(array_agg(h.id), '{}') as ids
  from (
    select e.memory_id as id from keepsake.unscreened_edits as e where e.user_id = %(user_id)s and e.rejection is null
    union all
    select o.id
    from public.user_memory as p
    join public.user_memory as o on o.user_id = p.user_id and o.profile_id = p.profile_id and o.memory_key = p.memory_key
    where %(persona_id)s::text is not null
      and p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.persona_id = %(persona_id)s
      and p.status = 'active' and p.memory_key is not null and (p.expires_at is null or p.expires_at > %(now)s)
      and o.persona_id is null and o.status = 'active'
  ) as h
),
-- The memories that may be shown here, with their prior. The types come as text that is read once, as an array.
visible as not materialized (
  select
    {memory_columns:m},
    m.profile_id, case m.memory_type
      when 'goal' then %(goal)s when 'pattern' then %(pattern)s when 'relationship' then %(relationship)s
      when 'emotion' then %(emotion)s else %(fact)s
    end::float8 * (m.confidence_score * 1000)::integer / 1000 -- a tenth of what turning it into a float takes
      / (1 + least(%(recency_cap_days)s::float8, greatest(0,
          date_part('epoch', %(now)s - coalesce(m.last_referenced_at, m.created_at)) / 86400)))
      + %(reference)s::float8 * least(m.reference_count, %(reference_cap)s) as prior
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.is_active
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (m.persona_id is null or m.persona_id = %(persona_id)s)
    and m.id <> all ((select ids from hidden)::uuid[])
    and m.memory_type = any (%(types)s::public.memory_type[])
    and not (%(shared)s and (m.memory_type = 'emotion' or m.subtype = 'feeling'))
)
