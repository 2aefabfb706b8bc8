-- Vectors of what is remembered, where an endpoint for embeddings is set and the server has pgvector; both may come later.
-- A list says which memories have none; it is kept in the memory's own transaction, so nothing ever looks for them all.

create table keepsake.embedding_models (
  model text primary key,
  dimensions integer not null constraint embedding_models_dimensions check (dimensions between 1 and 2000),
  since timestamptz not null default now()
);
comment on table keepsake.embedding_models is 'How long the vectors of each embedding model are; one that answers otherwise is not believed.';
revoke all on keepsake.embedding_models from public, anon, authenticated;
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
comment on table keepsake.memories_to_embed is 'The active memories without a vector: what is embedded in the background, where an endpoint is set.';
comment on column keepsake.memories_to_embed.due_at is 'When it may be tried (again), which is also until when somebody has it; null: given up.';
comment on column keepsake.memories_to_embed.model is 'The model that the attempts were made with; another one has attempts of its own.';
comment on column keepsake.memories_to_embed.reason is 'Why the last attempt came to nothing, as a word.';
comment on index keepsake.memories_to_embed_due is 'What is due, longest first.';
revoke all on keepsake.memories_to_embed from public, anon, authenticated;
grant select, insert, update, delete on keepsake.memories_to_embed to service_role;

create function keepsake.note_to_embed() returns trigger
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
comment on function keepsake.note_to_embed() is 'Puts a memory on the list of those to embed, or takes it off with its state.';
revoke all on function keepsake.note_to_embed() from public, anon, authenticated;
create trigger keepsake_30_embed_new after insert on public.user_memory
  for each row when (new.status = 'active') execute function keepsake.note_to_embed();
create trigger keepsake_30_embed after update of memory_text, status, profile_id on public.user_memory
  for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id))
  execute function keepsake.note_to_embed();

-- Without pgvector nothing is like anything; enable_vectors puts another in its place.
create function keepsake.similar_memories(person uuid, profile uuid, vector_model text, question real[])
returns table (memory_id uuid, similarity float8)
language plpgsql stable security definer rows 1000 set search_path = '' as $$
begin
  return;
end
$$;
comment on function keepsake.similar_memories(uuid, uuid, text, real[]) is 'How near each memory of one profile that the model has embedded lies to a question''s vector (cosine, exact).';
revoke all on function keepsake.similar_memories(uuid, uuid, text, real[]) from public, anon, authenticated;
grant execute on function keepsake.similar_memories(uuid, uuid, text, real[]) to service_role;

create function keepsake.enable_vectors() returns text
language plpgsql set search_path = '' as $enable$
declare
  home text;
begin
  if to_regclass('keepsake.memory_vectors') is not null then
    return 'on';
  end if;
  select n.nspname into home
  from pg_catalog.pg_extension as x join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
  where x.extname = 'vector';
  if home is null then
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
    home := 'extensions';
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
    -- Of the vectors the planner needs to know nothing, and nothing of them is to stay in its statistics.
    alter table keepsake.memory_vectors alter column vector set storage plain, alter column vector set statistics 0;
    create index memory_vectors_of_profile on keepsake.memory_vectors (user_id, profile_id, model);
    create index memory_vectors_by_model on keepsake.memory_vectors (model);
    comment on table keepsake.memory_vectors is 'Where each active memory lies in the space of an embedding model; removed when its text changes.';
    comment on column keepsake.memory_vectors.vector is 'Of any length, beside its row and not out of line: all of a person''s are read for a message.';
    revoke all on keepsake.memory_vectors from public, anon, authenticated;
    grant select, insert, update, delete on keepsake.memory_vectors to service_role;

    -- Named so that it runs after the list is written: whoever writes a vector holds the list's row meanwhile.
    create function keepsake.drop_vector() returns trigger
    language plpgsql security definer set search_path = '' as $$
    begin
      delete from keepsake.memory_vectors as v where v.user_id = new.user_id and v.memory_id = new.id;
      return null;
    end
    $$;
    comment on function keepsake.drop_vector() is 'Removes the vector of what a memory no longer says, or of one that is no longer active.';
    revoke all on function keepsake.drop_vector() from public, anon, authenticated;
    create trigger keepsake_31_drop_vector after update of memory_text, status, profile_id on public.user_memory
      for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id))
      execute function keepsake.drop_vector();

    -- Takes what nobody else holds, and only what still says what was embedded; the others are tried again.
    create function keepsake.keep_vectors(vector_model text, people uuid[], memories uuid[], texts text[], vectors text[])
    returns setof uuid
    language sql security definer set search_path = '' as $$
      with held as materialized (
        select m.user_id, m.id, m.profile_id, g.vector::%1$I.vector as vector
        from unnest(people, memories, texts, vectors) as g (user_id, memory_id, said, vector)
        join public.user_memory as m on m.user_id = g.user_id and m.id = g.memory_id
        join keepsake.memories_to_embed as e on e.user_id = m.user_id and e.memory_id = m.id
        join keepsake.embedding_models as o on o.model = vector_model and o.dimensions = %1$I.vector_dims(g.vector::%1$I.vector)
        where m.status = 'active' and m.memory_text = g.said
        for key share of m skip locked for update of e skip locked
      ), off_the_list as (
        delete from keepsake.memories_to_embed as e using held as h where e.user_id = h.user_id and e.memory_id = h.id
      )
      insert into keepsake.memory_vectors as v (user_id, memory_id, profile_id, model, vector)
      select h.user_id, h.id, h.profile_id, vector_model, h.vector
      from held as h
      on conflict (user_id, memory_id) do update
        set profile_id = excluded.profile_id, model = excluded.model, vector = excluded.vector
      returning v.memory_id
    $$;
    comment on function keepsake.keep_vectors(text, uuid[], uuid[], text[], text[]) is 'Writes the vectors of memories that still say what was embedded, and takes them off the list.';
    revoke all on function keepsake.keep_vectors(text, uuid[], uuid[], text[], text[]) from public, anon, authenticated;
    grant execute on function keepsake.keep_vectors(text, uuid[], uuid[], text[], text[]) to service_role;

    create or replace function keepsake.similar_memories(person uuid, profile uuid, vector_model text, question real[])
    returns table (memory_id uuid, similarity float8)
    language plpgsql stable security definer rows 1000 set search_path = '' as $$
    declare
      asked %1$I.vector := question::%1$I.vector;
    begin
      return query
        select v.memory_id, 1 - (v.vector operator(%1$I.<=>) asked)
        from keepsake.memory_vectors as v
        where v.user_id = person and v.profile_id = profile and v.model = vector_model
          and %1$I.vector_dims(v.vector) = %1$I.vector_dims(asked);
    end
    $$;
  $ddl$, home);
  return 'on';
end
$enable$;
comment on function keepsake.enable_vectors() is 'Makes what vectors need as soon as the server has pgvector, and says how it stands: on, or what is missing. May be called again at any time.';
revoke all on function keepsake.enable_vectors() from public, anon, authenticated;

do $$
declare
  standing text := keepsake.enable_vectors();
begin
  if standing <> 'on' then
    raise notice 'vectors are not available: %', standing;
  end if;
end
$$;
