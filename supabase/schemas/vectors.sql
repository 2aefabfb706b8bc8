-- Embedding vectors, where an endpoint is configured and the server has pgvector; both may come later. They are stored in
-- keepsake.memory_vectors, and in half precision in keepsake.memory_vector_halves, which enable_vectors() makes. A queue holds
-- the memories without a vector; a trigger fills it in the memory's own transaction, so nothing has to scan for them. Of each
-- model is measured how similar texts are that have nothing in common: some give them .05, others .75.

create table keepsake.embedding_models (
  model text primary key,
  dimensions integer not null constraint embedding_models_dimensions check (dimensions between 1 and 2000),
  since timestamptz not null default now(),
  unrelated_mean real,
  unrelated_deviation real constraint embedding_models_deviation check (unrelated_deviation > 0)
);
comment on table keepsake.embedding_models is 'The vector length of each embedding model; a reply with another length is rejected.';
comment on column keepsake.embedding_models.unrelated_mean is 'The mean similarity of unrelated texts; null until measured: then words alone decide what is relevant.';
comment on column keepsake.embedding_models.unrelated_deviation is 'Its standard deviation.';
grant select, insert, update, delete on keepsake.embedding_models to service_role;

create table keepsake.memories_to_embed (
  user_id uuid not null,
  memory_id uuid not null,
  due_at timestamptz default '-infinity',
  attempts smallint not null default 0,
  model text,
  reason text,
  primary key (user_id, memory_id),
  constraint memories_to_embed_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
create index memories_to_embed_due on keepsake.memories_to_embed (due_at) where due_at is not null;
create index memories_to_embed_given_up on keepsake.memories_to_embed (model) where due_at is null;
comment on table keepsake.memories_to_embed is 'The queue of active memories without a vector.';
comment on column keepsake.memories_to_embed.due_at is 'When the next attempt is due, which is also the end of a lease; null: given up.';
comment on column keepsake.memories_to_embed.model is 'The model of the attempts; another model starts at zero.';
comment on column keepsake.memories_to_embed.reason is 'Why the last attempt failed, as a code.';
comment on index keepsake.memories_to_embed_due is 'Due entries, oldest first.';
grant select, insert, update, delete on keepsake.memories_to_embed to service_role;

create function keepsake.enqueue_embedding() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'active' then
    insert into keepsake.memories_to_embed as e (user_id, memory_id) values (new.user_id, new.id)
    on conflict (user_id, memory_id) do update set due_at = '-infinity', attempts = 0, model = null, reason = null;
  else
    delete from keepsake.memories_to_embed as e where e.user_id = new.user_id and e.memory_id = new.id;
  end if;
  return null;
end
$$;
comment on function keepsake.enqueue_embedding() is 'Queues a memory for embedding, or removes it from the queue when it is no longer active.';
create trigger keepsake_30_embed_new after insert on public.user_memory
  for each row when (new.status = 'active') execute function keepsake.enqueue_embedding();
create trigger keepsake_30_embed after update of memory_text, status, profile_id on public.user_memory
  for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id))
  execute function keepsake.enqueue_embedding();

-- Without pgvector this returns no rows; enable_vectors replaces it.
create function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
returns table (memory_id uuid, similarity float8)
language plpgsql stable security definer rows 1000 set search_path = '' as $$
begin
  return;
end
$$;
comment on function keepsake.similar_memories(uuid, uuid, text, real[]) is 'The cosine similarity of each embedded memory of a profile to the query vector (exact, no approximate index).';
grant execute on function keepsake.similar_memories(uuid, uuid, text, real[]) to service_role;

create function keepsake.create_memory_vectors() returns text
language plpgsql set search_path = '' as $enable$
declare
  vector_schema text;
begin
  if to_regclass('keepsake.memory_vectors') is not null then
    return 'on';
  end if;
  select n.nspname into vector_schema
  from pg_catalog.pg_extension as x join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
  where x.extname = 'vector';
  if vector_schema is null then
    if not exists (select from pg_catalog.pg_available_extensions as a where a.name = 'vector') then
      return 'the server has no pgvector';
    elsif to_regnamespace('extensions') is null then
      return 'pgvector is not created in this database: create extension vector;';
    end if;
    begin
      create extension vector with schema extensions;
    exception when insufficient_privilege then
      return 'only a superuser may create pgvector here: create extension vector with schema extensions;';
    end;
    vector_schema := 'extensions';
  end if;

  execute format($ddl$
    create table keepsake.memory_vectors (
      user_id uuid not null,
      memory_id uuid not null,
      profile_id uuid not null,
      model text not null,
      vector %1$I.vector not null,
      primary key (user_id, memory_id),
      constraint memory_vectors_memory foreign key (user_id, memory_id)
        references public.user_memory (user_id, id) on delete cascade
    );
    -- No statistics: the planner needs none of a vector, and pg_statistic must not keep any.
    alter table keepsake.memory_vectors alter column vector set storage plain, alter column vector set statistics 0;
    create index memory_vectors_of_profile on keepsake.memory_vectors (user_id, profile_id, model);
    create index memory_vectors_by_model on keepsake.memory_vectors (model);
    comment on table keepsake.memory_vectors is 'The vector of each active memory; deleted when its text changes.';
    comment on column keepsake.memory_vectors.vector is 'Of any length, stored inline and not in TOAST: all vectors of a person are read for a message.';
    revoke all on keepsake.memory_vectors from public, anon, authenticated;
    grant select, insert, update, delete on keepsake.memory_vectors to service_role;

    -- The name makes it run after enqueue_embedding: store_vectors locks the row of the queue while it writes.
    create function keepsake.drop_vector() returns trigger
    language plpgsql security definer set search_path = '' as $$
    begin
      delete from keepsake.memory_vectors as v where v.user_id = new.user_id and v.memory_id = new.id;
      return null;
    end
    $$;
    comment on function keepsake.drop_vector() is 'Deletes the vector of a memory whose text changed or that is no longer active.';
    revoke all on function keepsake.drop_vector() from public, anon, authenticated;
    create trigger keepsake_31_drop_vector after update of memory_text, status, profile_id on public.user_memory
      for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id))
      execute function keepsake.drop_vector();

    -- Skips rows that are locked, and memories whose text changed since it was embedded; these are tried again.
    create function keepsake.store_vectors(vector_model text, people uuid[], memories uuid[], texts text[], vectors text[])
    returns setof uuid
    language sql security definer set search_path = '' as $$
      with locked as materialized (
        select m.user_id, m.id, m.profile_id, g.vector::%1$I.vector as vector
        from unnest(people, memories, texts, vectors) as g (user_id, memory_id, content, vector)
        join public.user_memory as m on m.user_id = g.user_id and m.id = g.memory_id
        join keepsake.memories_to_embed as e on e.user_id = m.user_id and e.memory_id = m.id
        join keepsake.embedding_models as o on o.model = vector_model and o.dimensions = %1$I.vector_dims(g.vector::%1$I.vector)
        where m.status = 'active' and m.memory_text = g.content
        for key share of m skip locked for update of e skip locked
      ), dequeued as (
        delete from keepsake.memories_to_embed as e using locked as h where e.user_id = h.user_id and e.memory_id = h.id
      )
      insert into keepsake.memory_vectors as v (user_id, memory_id, profile_id, model, vector)
      select h.user_id, h.id, h.profile_id, vector_model, h.vector
      from locked as h
      on conflict (user_id, memory_id) do update
        set profile_id = excluded.profile_id, model = excluded.model, vector = excluded.vector
      returning v.memory_id
    $$;
    comment on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) is 'Stores the vectors of memories whose text is unchanged, and removes these from the queue.';
    revoke all on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) from public, anon, authenticated;
    grant execute on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) to service_role;

    create or replace function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
    returns table (memory_id uuid, similarity float8)
    language plpgsql stable security definer rows 1000 set search_path = '' as $$
    declare
      query %1$I.vector := query_vector::%1$I.vector;
    begin
      return query
        select v.memory_id, 1 - (v.vector operator(%1$I.<=>) query)
        from keepsake.memory_vectors as v
        where v.user_id = person and v.profile_id = profile and v.model = vector_model
          and %1$I.vector_dims(v.vector) = %1$I.vector_dims(query);
    end
    $$;
  $ddl$, vector_schema);
  return 'on';
end
$enable$;
comment on function keepsake.create_memory_vectors() is 'Creates the vector table and its functions once the server has pgvector; the first step of enable_vectors.';

-- The vectors in half precision, inside an index: all vectors of a person are compared with each message, and there they lie
-- side by side. Vectors too long for an index, and servers whose pgvector has no halfvec, are compared in full.
create function keepsake.enable_vectors() returns text
language plpgsql set search_path = '' as $enable$
declare
  status text := keepsake.create_memory_vectors();
  vector_schema text;
begin
  select n.nspname into vector_schema
  from pg_catalog.pg_extension as x join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
  where x.extname = 'vector';
  if status <> 'on' or to_regclass('keepsake.memory_vector_halves') is not null
    or to_regtype(format('%I.halfvec', vector_schema)) is null then
    return status;
  end if;

  execute format($ddl$
    create table keepsake.memory_vector_halves (
      user_id uuid not null,
      memory_id uuid not null,
      profile_id uuid not null,
      model text not null,
      half %1$I.halfvec not null,
      constraint memory_vector_halves_vector foreign key (user_id, memory_id)
        references keepsake.memory_vectors (user_id, memory_id) on delete cascade
    );
    alter table keepsake.memory_vector_halves alter column half set storage plain, alter column half set statistics 0;
    -- What was vacuumed since it was written is read from the index alone.
    alter table keepsake.memory_vector_halves set (autovacuum_vacuum_insert_scale_factor = 0.02);
    comment on table keepsake.memory_vector_halves is 'The vectors of memory_vectors that fit an index, as unit vectors in half precision.';
    revoke all on keepsake.memory_vector_halves from public, anon, authenticated;
    grant select, insert, update, delete on keepsake.memory_vector_halves to service_role;

    create function keepsake.keep_half() returns trigger
    language plpgsql security definer set search_path = '' as $$
    begin
      if %1$I.vector_dims(new.vector) <= 1200 and octet_length(new.model) <= 200 then  -- an entry of an index has 2,700 bytes at most
        insert into keepsake.memory_vector_halves as h (user_id, memory_id, profile_id, model, half)
        values (new.user_id, new.memory_id, new.profile_id, new.model, %1$I.l2_normalize(new.vector)::%1$I.halfvec)
        on conflict (user_id, memory_id) do update
          set profile_id = excluded.profile_id, model = excluded.model, half = excluded.half;
      else
        delete from keepsake.memory_vector_halves as h where h.user_id = new.user_id and h.memory_id = new.memory_id;
      end if;
      return null;
    end
    $$;
    comment on function keepsake.keep_half() is 'Stores a vector that fits an index in half precision too.';
    revoke all on function keepsake.keep_half() from public, anon, authenticated;
    create trigger keepsake_half after insert or update on keepsake.memory_vectors
      for each row execute function keepsake.keep_half();

    insert into keepsake.memory_vector_halves (user_id, memory_id, profile_id, model, half)
    select v.user_id, v.memory_id, v.profile_id, v.model, %1$I.l2_normalize(v.vector)::%1$I.halfvec
    from keepsake.memory_vectors as v
    where %1$I.vector_dims(v.vector) <= 1200 and octet_length(v.model) <= 200;
    alter table keepsake.memory_vector_halves
      add primary key (user_id, memory_id) include (profile_id, model, half);
    comment on index keepsake.memory_vector_halves_pkey is 'With all columns, so that the vectors of a person are read from it alone.';

    create or replace function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
    returns table (memory_id uuid, similarity float8)
    language plpgsql stable security definer rows 1000
    set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$  -- from the index alone, vacuumed or not
    declare
      query %1$I.vector := query_vector::%1$I.vector;
      half_query %1$I.halfvec;
    begin
      if cardinality(query_vector) <= 1200 and octet_length(vector_model) <= 200 then
        half_query := %1$I.l2_normalize(query)::%1$I.halfvec;
        return query
          select h.memory_id, 1 - (h.half operator(%1$I.<=>) half_query)
          from keepsake.memory_vector_halves as h
          where h.user_id = person and h.profile_id = profile and h.model = vector_model
            and %1$I.vector_dims(h.half) = %1$I.vector_dims(half_query);
      else
        return query
          select v.memory_id, 1 - (v.vector operator(%1$I.<=>) query)
          from keepsake.memory_vectors as v
          where v.user_id = person and v.profile_id = profile and v.model = vector_model
            and %1$I.vector_dims(v.vector) = %1$I.vector_dims(query);
      end if;
    end
    $$;
  $ddl$, vector_schema);
  return status;
end
$enable$;
comment on function keepsake.enable_vectors() is 'Creates the vector tables and their functions once the server has pgvector; returns on, or what is missing. Idempotent.';

do $$
declare
  status text := keepsake.enable_vectors();
begin
  if status <> 'on' then
    raise notice 'vectors are not available: %', status;
  end if;
end
$$;
