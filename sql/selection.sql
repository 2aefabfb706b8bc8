-- name: select_candidates
-- The memories one message may need, scored: those that share its words, lie near it in meaning or stand beside one that
-- does, what is always shown, what shares an entity with these, and where asked the best by prior. One memory may come
-- twice, first with its scores.
-- The columns of a memory come first, in the order of the store. A word weighs the more the fewer of the person's own
-- memories have it (BM25 with k1 = 0: a memory is one statement, in which a word counts once, at whatever length).
-- The profile stands where an index leads with it: asked everywhere, it lures the planner away from the primary key.
-- The index of words holds those of each profile apart, so that only memories that share one are read.
-- Where one persona was told something else about a thing than the others, that is what this persona knows of it.
with told_alone as materialized (
  select coalesce(array_agg(m.memory_key), '{}') as keys
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.persona_id = %(persona_id)s
    and m.status = 'active' and m.memory_key is not null and (m.expires_at is null or m.expires_at > %(now)s)
),
named as materialized (
  select coalesce(array_agg(distinct e.key), '{}') as refs,
    string_agg(n.name, ' ') filter (where position(' ' || n.name || ' ' in %(spoken)s) = 0) as otherwise
  from public.user_memory_entities as e cross join lateral unnest(e.names) as n (name)
  where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s
    and exists (select from unnest(e.names) as s (name) where position(' ' || s.name || ' ' in %(spoken)s) > 0)
),
current_ones as not materialized (
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
    and (m.persona_id = %(persona_id)s or (m.persona_id is null
      and (m.memory_key is null or m.memory_key <> all ((select keys from told_alone)::text[]))))
    and m.memory_type = any (%(types)s::public.memory_type[])
    and not (%(shared)s and (m.memory_type = 'emotion' or m.subtype = 'feeling'))
),
asked as materialized (
  select l.language, w.lexeme, max(t.share) as share
  from unnest(%(languages)s::text[]) as l (language)
  cross join (values (%(query)s, 1::float8), (%(related)s, %(related_share)s::float8),
    ((select otherwise from named), %(related_share)s::float8)) as t (said, share)
  cross join lateral unnest(to_tsvector(keepsake.text_search_config(l.language), t.said)) as w
  group by l.language, w.lexeme
),
corpus as materialized (
  select count(*)::float8 as size, ln(1 + (count(*) - 0.5) / 1.5)::float8 as rarest
  from keepsake.memory_index as i
  where i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
),
hits as materialized (
  select f.id, f.lexeme
  from (
    select i.memory_id as id, unnest(tsvector_to_array(i.lexemes)) as lexeme
    from keepsake.memory_index as i
    where keepsake.words_of(i.profile_id, tsvector_to_array(i.lexemes))
      && keepsake.words_of(%(profile_id)s, array(select lexeme from asked))
  ) as f
  where f.lexeme in (select lexeme from asked)
),
weights as materialized (
  select a.lexeme, a.language, a.share,
    ln(1 + ((select size from corpus) - count(h.id) + 0.5) / (count(h.id) + 0.5)) / (select rarest from corpus) as weight
  from asked as a left join hits as h using (lexeme)
  group by a.lexeme, a.language, a.share
),
words as materialized (
  select lexeme, min(weight) * max(share) as weight from weights group by lexeme
),
ranked as materialized (
  select h.id, sum(w.weight)::float8 as lexical
  from hits as h join words as w using (lexeme)
  group by h.id
),
meant as materialized (
  select s.memory_id as id, s.similarity,
    (s.similarity - avg(s.similarity) over ()) / nullif(stddev_pop(s.similarity) over (), 0) as deviation
  from keepsake.similar_memories(%(user_id)s, %(profile_id)s, %(vector_model)s, %(question_vector)s::real[]) as s
  where %(question_vector)s::real[] is not null
),
scored as materialized (
  select id, coalesce(r.lexical, 0) as lexical, s.similarity, s.deviation
  from ranked as r full join meant as s using (id)
),
asked_for as materialized (
  select m.*, s.lexical, s.similarity, s.deviation
  from (select *, %(words_share)s * lexical + coalesce(deviation, 0) as rank from scored order by rank desc, id) as s
  cross join lateral (select c.* from current_ones as c where c.id = s.id offset 0) as m
  order by s.rank desc, s.id
  limit %(by_message)s
),
beside as materialized (
  select distinct r.id
  from (select id from ranked order by lexical desc, id limit %(by_side)s) as best
  join public.user_memory as b on b.user_id = %(user_id)s and b.id = best.id
  join public.user_memory as n on n.user_id = %(user_id)s and n.memory_no between b.memory_no - 2 and b.memory_no + 2
  join ranked as r on r.id = n.id
  where r.id not in (select id from asked_for)
),
relevant as materialized (
  select * from asked_for
  union all
  select m.*, s.lexical, s.similarity, s.deviation
  from beside as b
  join scored as s using (id)
  cross join lateral (select c.* from current_ones as c where c.id = b.id offset 0) as m
),
matched as materialized (
  select h.id, array_agg(h.lexeme order by w.weight desc, h.lexeme) as lexemes, sum(w.weight) as weight
  from hits as h join words as w using (lexeme)
  where h.id in (select id from relevant)
  group by h.id
),
core as materialized (
  select m.*
  from current_ones as m
  where m.profile_id = %(profile_id)s and m.status = 'active' and m.importance >= 2
    and (m.pinned or m.subtype = 'preference')
  order by m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc
  limit %(by_core)s
),
opened as materialized (
  select array_agg(distinct ref) as refs
  from (
    select entity_refs from core union all select entity_refs from asked_for union all select refs from named
  ) as shown
  cross join lateral unnest(shown.entity_refs) as ref
  where ref <> 'person:self'
),
best as materialized (
  select m.id
  from current_ones as m
  where %(fill)s and m.profile_id = %(profile_id)s and m.status = 'active'
  order by m.prior desc, m.memory_no desc
  limit %(by_prior)s
),
others as (
  select * from core
  union all select m.* from current_ones as m
    where m.profile_id = %(profile_id)s and m.status = 'active'
      and m.memory_key in ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns')
  union all (
    select m.* from current_ones as m
    where (select refs from opened) is not null and m.entity_refs && (select refs from opened)
      and m.profile_id = %(profile_id)s and m.status = 'active' and m.importance >= 2
    order by m.pinned desc, m.importance desc, m.created_at desc, m.memory_no desc limit %(by_entity)s)
  union all select m.*
    from best as b cross join lateral (select c.* from current_ones as c where c.id = b.id offset 0) as m
)
select m.*, m2.weight / (select min(total) from (
    select sum(weight) filter (where share = 1) as total from weights group by language) as t) as coverage,
  m2.lexemes as matched, (select refs from named) as called
from relevant as m left join matched as m2 using (id)
union all
select o.*, 0, null, null, null, null, (select refs from named) from others as o
