-- The entities of a person's memories, as merging and chat commands read them.

-- name: entities_of_profile
-- The entities of a profile, oldest first.
select e.key, e.label, e.aliases
from public.user_memory_entities as e
where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s
order by e.created_at, e.key

-- name: merge_relative
-- Merges a relation (person:sister) into the person whose name is now known.
select keepsake.merge_entities(%(user_id)s, %(profile_id)s, %(relation)s, %(named)s, true) as touched

-- name: propose_alias
-- Proposes that two names are one entity, unless the pair was proposed before, one memory names both, or a
-- contradiction is known: another age or birthday, or another relation where one of them is family.
insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)
select %(user_id)s::uuid, %(profile_id)s::uuid, %(key)s::text, %(variant)s::text, %(similarity)s::numeric
where not exists (
  select from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s
    and %(key)s = any (m.entity_refs) and %(variant)s = any (m.entity_refs)
)
and not exists (
  with statements as (
    select r.ref, m.value, split_part(m.memory_key, '|', 3) as relation,
      substring(m.memory_key from '[^|]*$') as attribute
    from public.user_memory as m cross join lateral unnest(m.entity_refs) as r (ref)
    where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
      and m.memory_key like 'relationship|person|%%' and r.ref in (%(key)s, %(variant)s)
  )
  select from statements as o join statements as v on o.ref = %(key)s and v.ref = %(variant)s
  where (o.attribute = v.attribute and o.attribute in ('age', 'birthday') and o.value <> v.value)
    or (o.relation <> v.relation and (o.relation = any (%(family)s::text[]) or v.relation = any (%(family)s::text[])))
)
on conflict do nothing
returning id
