-- name: select_candidates
-- The candidates for one message, scored: what shares its words, is similar by vector or stands next to such a memory,
-- what is always shown, and what shares an entity with these. A memory may come twice, first with its scores. The columns
-- of a memory come first, in the order of the store. profile_id appears only where an index leads with it: elsewhere it
-- makes the planner avoid the primary key.
with
{visible_memories},
-- Entities that the message names, and their other names.
named_entities as materialized (
  select coalesce(array_agg(distinct e.key), '{}') as refs,
    string_agg(n.name, ' ') filter (where position(' ' || n.name || ' ' in %(searchable_message)s) = 0) as other_names
  from public.user_memory_entities as e cross join lateral unnest(e.names) as n (name)
  where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s
    and exists (select from unnest(e.names) as s (name) where position(' ' || s.name || ' ' in %(searchable_message)s) > 0)
),
-- The terms of the query, its expansion and the other names of its entities, each with its share.
query_terms as materialized (
  select l.language, w.lexeme, max(t.share) as share
  from (
    select u.language, keepsake.text_search_config(u.language) as config
    from unnest(%(languages)s::text[]) as u (language) offset 0
  ) as l
  cross join (values (%(query)s, 1::float8), (%(related)s, %(related_share)s::float8),
    ((select other_names from named_entities), %(related_share)s::float8)) as t (content, share)
  cross join lateral unnest(to_tsvector(l.config, t.content)) as w
  group by l.language, w.lexeme
),
-- The number of documents, and the weight of the rarest term.
corpus as materialized (
  select count(*)::float8 as size, ln(1 + (count(*) - 0.5) / 1.5)::float8 as rarest
  from keepsake.memory_index as i
  where i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
),
-- Which memories contain each term: by the inverted index, so only memories that share one are read.
postings as materialized (
  select q.lexeme, h.ids, h.lengths, coalesce(cardinality(h.ids), 0) as memory_count
  from (select distinct lexeme from query_terms) as q
  cross join lateral (
    select array_agg(i.memory_id) as ids, array_agg(i.length) as lengths from keepsake.memory_index as i
    where keepsake.profile_terms(i.profile_id, tsvector_to_array(i.lexemes)) && array[%(profile_id)s::uuid::text || q.lexeme]
  ) as h
),
-- BM25 with k1 = 0: a memory is one statement, in which a term counts once, however often it stands there.
language_weights as materialized (
  select q.lexeme, q.language, q.share,
    ln(1 + ((select size from corpus) - p.memory_count + 0.5) / (p.memory_count + 0.5)) / (select rarest from corpus) as weight
  from query_terms as q join postings as p using (lexeme)
),
term_matches as materialized (
  select h.id, h.length, w.lexeme, w.weight
  from (select lexeme, min(weight) * max(share) as weight from language_weights group by lexeme) as w
  join postings as p using (lexeme)
  cross join lateral unnest(p.ids, p.lengths) as h (id, length)
),
-- The lexical score. Only a paragraph, which shares words with more messages, is held back for its length.
by_words as materialized (
  select h.id, sum(h.weight)::float8
    / (1 + %(length_share)s::float8 * greatest(0, h.length / %(statement_length)s::float8 - 1)) as lexical
  from term_matches as h
  group by h.id, h.length
),
-- The cosine similarities, and what they are compared with: the person's own memories, and unrelated texts.
by_vector as materialized (
  select s.memory_id as id, s.similarity
  from keepsake.similar_memories(%(user_id)s, %(profile_id)s, %(vector_model)s, %(query_vector)s::real[]) as s
  where %(query_vector)s::real[] is not null
),
similarities as materialized (
  select v.mean, v.deviation, o.unrelated_mean, o.unrelated_deviation
  from (select avg(similarity) as mean, nullif(stddev_pop(similarity), 0) as deviation from by_vector) as v
  left join keepsake.embedding_models as o on o.model = %(vector_model)s
),
-- What may be among the best: all that share a word, and as many of the others as the most similar ones can be.
ranked as (
  select w.id, w.lexical, v.similarity from by_words as w left join by_vector as v using (id)
  union all (
    select v.id, 0, v.similarity from by_vector as v where v.id not in (select id from by_words)
    order by v.similarity desc, v.id limit %(by_message)s)
),
-- The vector score: by how many standard deviations a similarity is above the mean of the person's memories, and by how
-- many above that of unrelated texts.
scored as materialized (
  select r.id, r.lexical, r.similarity, (r.similarity - s.mean) / s.deviation as deviation,
    (r.similarity - s.unrelated_mean) / s.unrelated_deviation as contrast
  from ranked as r cross join similarities as s
),
-- The best by both scores.
by_message as materialized (
  select s.id, s.lexical, s.similarity, s.deviation, s.contrast, m.entity_refs
  from (select *, %(words_share)s * lexical + coalesce(deviation, 0) as rank from scored order by rank desc, id) as s
  cross join lateral (select c.entity_refs from visible as c where c.id = s.id offset 0) as m
  order by s.rank desc, s.id
  limit %(by_message)s
),
-- Those and their neighbors: memories next to the best lexical matches, by their number.
relevant as materialized (
  select id, lexical, similarity, deviation, contrast from by_message
  union all
  select s.id, s.lexical, s.similarity, s.deviation, s.contrast
  from scored as s
  where s.lexical > 0 and s.id not in (select id from by_message) and s.id in (
    select n.id
    from (select id from by_words order by lexical desc, id limit %(by_side)s) as hit
    cross join lateral (
      select b.memory_no from public.user_memory as b where b.user_id = %(user_id)s and b.id = hit.id offset 0
    ) as b
    cross join lateral (
      select n.id from public.user_memory as n
      where n.user_id = %(user_id)s and n.memory_no between b.memory_no - 2 and b.memory_no + 2 offset 0
    ) as n
  )
),
-- The terms that each relevant memory contains.
matched_terms as materialized (
  select h.id, array_agg(h.lexeme order by h.weight desc, h.lexeme) as lexemes, sum(h.weight) as weight
  from term_matches as h
  where h.id in (select id from relevant)
  group by h.id
),
-- Pins and memories of importance 3, in the order in which they are shown.
foremost as materialized (
  select m.id, m.entity_refs from visible as m
  where m.profile_id = %(profile_id)s and m.status = 'active' and m.importance >= 3 and m.doubted_at is null
  order by m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc
  limit %(by_core)s
),
-- These, and memories with the words of what must not be missed: no number of pins keeps an allergy out.
always_shown as materialized (
  select id, entity_refs from foremost
  union all (
    select m.id, m.entity_refs
    from keepsake.memory_index as w
    cross join lateral (
      select c.id, c.pinned, c.importance, c.valid_from, c.memory_no, c.entity_refs from visible as c
      where c.id = w.memory_id and c.doubted_at is null offset 0
    ) as m
    where m.id not in (select id from foremost)
      and keepsake.profile_terms(w.profile_id, tsvector_to_array(w.lexemes))
        && %(warning_terms)s::text[]
    order by m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc
    limit %(by_core)s
  )
),
-- Where a message asks for topics and the person has few memories: all of them, whose topics are then compared.
of_few as (
  select m.id from visible as m
  where m.profile_id = %(profile_id)s and m.status = 'active' and m.doubted_at is null
    and (select size from corpus) <= %(few)s
),
-- The entities whose cards are shown, as terms of the index, as keepsake.profile_terms writes them.
open_cards as materialized (
  select array_agg(distinct %(profile_id)s::uuid::text || ref) as terms
  from (
    select entity_refs from always_shown union all select entity_refs from by_message
    union all select refs from named_entities
  ) as source
  cross join lateral unnest(source.entity_refs) as ref
  where ref <> 'person:self'
),
-- What comes without a score: always_shown, identity, entity cards, what topics may select, and nothing doubted.
unscored as (
  select id from always_shown
  union all
  select m.id from visible as m
  where m.profile_id = %(profile_id)s and m.status = 'active'
    and m.memory_key in ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns',
      'fact|person|self|answer_language', 'fact|person|self|answer_length', 'fact|person|self|answer_format',
      'fact|person|self|answer_tone', 'fact|person|self|answer_units', 'fact|person|self|answer_address',
      'fact|person|self|answer_level')
    and m.doubted_at is null
  union all
  select c.id
  from (
    select i.id
    from (
      select n.id from public.user_memory as n
      where n.status = 'active' and n.importance >= 2 and keepsake.profile_terms(n.profile_id, n.entity_refs)
        && (select terms from open_cards)
      offset 0
    ) as n
    cross join lateral (
      select c.id, c.pinned, c.importance, c.created_at, c.memory_no from visible as c
      where c.id = n.id and c.doubted_at is null offset 0
    ) as i
    order by i.pinned desc, i.importance desc, i.created_at desc, i.memory_no desc limit %(by_entity)s
  ) as c
  where c.id not in (select id from always_shown)
  union all
  select id from of_few where id not in (select id from always_shown)
)
select {memory_columns:m}, m.prior, s.lexical, s.similarity, s.deviation, s.contrast, t.weight / (select min(total) from (
    select sum(weight) filter (where share = 1) as total from language_weights group by language) as l) as coverage,
  t.lexemes as matched, case when m.entity_refs && (select refs from named_entities) then (select refs from named_entities) end as called,
  (select size from corpus) as memory_count
from (select * from relevant union all
  select id, 0, null, null, null from unscored where id not in (select id from relevant)) as s
cross join lateral (select c.* from visible as c where c.id = s.id offset 0) as m
left join matched_terms as t on t.id = s.id

-- name: select_best_by_prior
-- The best memories by prior, for the strategy of that name.
with
{visible_memories}
select {memory_columns:m}, m.prior
from visible as m
where m.profile_id = %(profile_id)s and m.status = 'active' and m.doubted_at is null
order by m.prior desc, m.memory_no desc
limit %(by_prior)s

-- name: select_introduction
-- Who the person is, for the first context of a conversation: the newest important memories, and the most important ones
-- of each kind: goals, people, and what has a word about home, work, health or family. The words come as terms of the
-- index, for each of these an array.
with
{visible_memories}
select {memory_columns:m}, m.prior
from (
  (select n.id from visible as n
    where n.profile_id = %(profile_id)s and n.status = 'active' and n.doubted_at is null and n.importance >= 2
    order by n.created_at desc, n.memory_no desc limit %(by_prior)s)
  union
  select of_type.id
  from unnest('{goal,relationship}'::public.memory_type[]) as t (type)
  cross join lateral (
    select n.id from visible as n
    where n.profile_id = %(profile_id)s and n.status = 'active' and n.memory_type in ('goal', 'relationship')
      and n.memory_type = t.type
    order by n.importance desc, n.created_at desc, n.memory_no desc limit %(by_prior)s
  ) as of_type
  union
  select with_words.id
  from unnest(%(life_terms)s::text[]) as t (terms)
  cross join lateral (
    select m.id
    from keepsake.memory_index as i
    cross join lateral (
      select c.id, c.importance, c.created_at, c.memory_no from visible as c where c.id = i.memory_id offset 0
    ) as m
    where keepsake.profile_terms(i.profile_id, tsvector_to_array(i.lexemes)) && t.terms::text[]
    order by m.importance desc, m.created_at desc, m.memory_no desc limit %(by_prior)s
  ) as with_words
) as s
cross join lateral (select c.* from visible as c where c.id = s.id offset 0) as m
