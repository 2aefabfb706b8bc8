-- The vectors in half precision, inside an index: all vectors of a person are compared with each message, and there they lie
-- side by side. Vectors too long for an index, and servers whose pgvector has no halfvec, are compared as before.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter function keepsake.enable_vectors() rename to create_memory_vectors;
comment on function keepsake.create_memory_vectors() is 'Creates the vector table and its functions once the server has pgvector; the first step of enable_vectors.';

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
revoke all on function keepsake.enable_vectors() from public, anon, authenticated;

do $$
begin
  perform keepsake.enable_vectors();
end
$$;
