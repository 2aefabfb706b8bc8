-- name: select_candidates
-- The memories one message may need, scored: those that are always shown, those whose words it shares (BM25 over the
-- person's own current memories), those with the best prior, the identity, and what shares an entity with the first two.
-- Scores are computed over narrow rows; only the few chosen ones are fetched whole.
with mine as materialized (
  select
    m.id, i.lexemes, i.length, m.language, m.pinned, m.importance, m.entity_refs,
    m.memory_key in ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns') as identity,
    m.pinned or (m.subtype = 'preference' and m.importance >= %(core_importance)s) as core,
    m.confidence_score, m.valid_from, m.created_at,
    case m.memory_type
      when 'goal' then %(goal)s when 'pattern' then %(pattern)s when 'relationship' then %(relationship)s
      when 'emotion' then %(emotion)s else %(fact)s
    end::float8 * m.confidence_score::float8
      / (1 + least(%(recency_cap_days)s::float8, greatest(0,
          extract(epoch from %(now)s - coalesce(m.last_referenced_at, m.created_at))::float8 / 86400)))
      + %(reference)s::float8 * least(m.reference_count, %(reference_cap)s) as prior
  from public.user_memory as m
  join keepsake.memory_index as i on i.user_id = m.user_id and i.memory_id = m.id
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
    and i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (m.persona_id is null or m.persona_id = %(persona_id)s)
    and m.memory_type = any (%(types)s::public.memory_type[])
    and not (%(shared)s and (m.memory_type = 'emotion' or m.subtype = 'feeling'))
),
corpus as (
  select count(*)::float8 as size, greatest(avg(length), 1)::float8 as average from mine
),
asked as materialized (
  select distinct w.lexeme
  from (select distinct language from mine) as l
  cross join lateral unnest(to_tsvector(keepsake.text_search_config(l.language), %(query)s)) as w
),
hits as materialized (
  select m.id, m.length, w.lexeme, cardinality(w.positions)::float8 as times
  from mine as m
  cross join lateral unnest(m.lexemes) as w
  join asked using (lexeme)
  where m.lexemes @@ (
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', '|')::tsquery from asked)
),
weights as materialized (
  select a.lexeme, ln(1 + (c.size - count(h.id) + 0.5) / (count(h.id) + 0.5)) as weight
  from asked as a cross join corpus as c left join hits as h using (lexeme)
  group by a.lexeme, c.size
),
lexical as (
  select h.id,
    sum(w.weight * h.times * (%(k1)s + 1)
      / (h.times + %(k1)s * (1 - %(b)s + %(b)s * h.length / c.average)))::float8 as lexical,
    sum(w.weight) / ln(1 + (c.size - 0.5) / 1.5) as rarity,
    sum(w.weight) / (select sum(weight) from weights) as coverage,
    array_agg(h.lexeme order by w.weight desc, h.lexeme) as matched
  from hits as h join weights as w using (lexeme) cross join corpus as c
  group by h.id, c.size
  order by 2 desc, h.id
  limit %(by_words)s
),
core as (
  select id, entity_refs from mine where core and not identity
  order by pinned desc, importance desc, confidence_score desc, valid_from desc limit %(by_core)s
),
opened as (
  select array_agg(distinct ref) as refs
  from (select entity_refs from core union all select m.entity_refs from lexical join mine as m using (id)) as shown
  cross join lateral unnest(shown.entity_refs) as ref
  where ref <> 'person:self'
),
wanted as (
  select id from lexical
  union select id from core
  union (select id from mine order by prior desc limit %(by_prior)s)
  union (select id from mine where identity order by valid_from desc limit %(by_identity)s)
  union (
    select id from mine where importance >= %(card_importance)s and entity_refs && (select refs from opened)
    order by pinned desc, importance desc, created_at desc limit %(by_entity)s)
)
select
  m.id, m.memory_no, m.memory_type, m.subtype, m.memory_text, m.confidence_score, m.importance, m.pinned, m.source,
  m.status, m.reference_count, m.created_at, m.valid_from, m.memory_key, m.value, m.entity_refs, m.entity_label,
  m.language, m.expires_at, m.last_referenced_at, m.conversation_id,
  s.prior, l.lexical, l.rarity, l.coverage, l.matched, null::float8 as similarity
from wanted as w
join mine as s using (id)
join public.user_memory as m on m.user_id = %(user_id)s and m.id = w.id
left join lexical as l on l.id = w.id
