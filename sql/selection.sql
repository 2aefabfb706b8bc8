-- name: select_candidates
-- The memories one message may need, scored: those that share its words (BM25 over the person's own memories), what is
-- always shown, what shares an entity with these, and where asked the best by prior. One memory may come twice.
-- The columns of a memory come first, in the order of the store.
-- The profile stands where an index leads with it: asked everywhere, it lures the planner away from the primary key.
-- The index of words holds those of each profile apart, so that only memories that share one are read.
with current_ones as not materialized (
  select
    m.id, m.memory_no, m.memory_type, m.subtype, m.memory_text, m.confidence_score, m.importance,
    m.pinned, m.source, m.status, m.reference_count, m.created_at, m.valid_from, m.memory_key, m.value, m.entity_refs,
    m.entity_label, m.language, m.expires_at, m.last_referenced_at, m.conversation_id, m.persona_id,
    m.profile_id, case m.memory_type
      when 'goal' then %(goal)s when 'pattern' then %(pattern)s when 'relationship' then %(relationship)s
      when 'emotion' then %(emotion)s else %(fact)s
    end::float8 * m.confidence_score::float8
      / (1 + least(%(recency_cap_days)s::float8, greatest(0,
          date_part('epoch', %(now)s - coalesce(m.last_referenced_at, m.created_at)) / 86400)))
      + %(reference)s::float8 * least(m.reference_count, %(reference_cap)s) as prior
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.is_active
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (m.persona_id is null or m.persona_id = %(persona_id)s)
    and m.memory_type = any (%(types)s::public.memory_type[])
    and not (%(shared)s and (m.memory_type = 'emotion' or m.subtype = 'feeling'))
),
asked as materialized (
  select l.language, w.lexeme
  from unnest(%(languages)s::text[]) as l (language)
  cross join lateral unnest(to_tsvector(keepsake.text_search_config(l.language), %(query)s)) as w
),
corpus as materialized (
  select count(*)::float8 as size, greatest(sum(i.length)::float8 / nullif(count(*), 0), 1) as average
  from keepsake.memory_index as i
  where i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
),
hits as materialized (
  select f.id, f.length, f.lexeme, case when f.is_plain then 1 else (
      select cardinality(w.positions) from unnest(f.lexemes) as w where w.lexeme = f.lexeme
    ) end::float8 as times
  from (
    select i.memory_id as id, i.length, i.lexemes, length(i.lexemes) = i.length as is_plain,
      unnest(tsvector_to_array(i.lexemes)) as lexeme
    from keepsake.memory_index as i
    where keepsake.words_of(i.profile_id, tsvector_to_array(i.lexemes))
      && keepsake.words_of(%(profile_id)s, array(select lexeme from asked))
  ) as f
  where f.lexeme in (select lexeme from asked)
),
weights as materialized (
  select a.lexeme, a.language,
    ln(1 + ((select size from corpus) - count(h.id) + 0.5) / (count(h.id) + 0.5)) as weight
  from asked as a left join hits as h using (lexeme)
  group by a.lexeme, a.language
),
words as materialized (
  select lexeme, min(weight) as weight from weights group by lexeme
),
ranked as (
  select h.id,
    sum(w.weight * h.times * (%(k1)s + 1) / (h.times + %(k1)s * (1 - %(b)s + %(b)s * h.length / (select average from corpus)))
    )::float8 as lexical,
    sum(w.weight) as weight
  from hits as h join words as w using (lexeme)
  group by h.id
  order by 2 desc, h.id
),
lexical as materialized (
  select m.*, r.lexical,
    r.weight / (select ln(1 + (size - 0.5) / 1.5) from corpus) as rarity,
    r.weight / (select min(total) from (select sum(weight) as total from weights group by language) as t) as coverage,
    array(
      select w.lexeme
      from keepsake.memory_index as i
      cross join lateral unnest(tsvector_to_array(i.lexemes)) as l (lexeme)
      join words as w using (lexeme)
      where i.user_id = %(user_id)s and i.memory_id = r.id
      order by w.weight desc, w.lexeme
    ) as matched
  from ranked as r
  cross join lateral (select c.* from current_ones as c where c.id = r.id offset 0) as m
  order by r.lexical desc, r.id
  limit %(by_words)s
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
  from (select entity_refs from core union all select entity_refs from lexical) as shown
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
select l.*, null::float8 as similarity from lexical as l
union all
select o.*, 0, 0, 0, '{}', null from others as o
