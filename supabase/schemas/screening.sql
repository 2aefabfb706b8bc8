-- What a person writes directly (an edit through REST, a persona, a profile) is screened before a model sees it. Until
-- then it is listed here; a rejected edit is undone, and stays listed until a context has told the person.
-- What the edit changed is written back then, and what was changed beside it or since stays.

create table keepsake.unscreened_edits (
  user_id uuid not null,
  memory_id uuid not null,
  operation_id uuid not null,
  rejection text constraint unscreened_edits_rejection
    check (rejection in ('secret', 'instruction', 'financial_amount', 'bad_characters', 'bad_length')),
  edited_at timestamptz not null default clock_timestamp(),
  primary key (user_id, memory_id, operation_id),
  constraint unscreened_edits_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
comment on table keepsake.unscreened_edits is 'Edits of a person that were not screened yet, and rejected ones that no context has mentioned yet; ids only.';
comment on column keepsake.unscreened_edits.rejection is 'Why the edit was undone; null: not screened yet.';
grant select, insert, update, delete on keepsake.unscreened_edits to service_role;

create function keepsake.mark_unscreened() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.actor', true) = 'system' then
    return null;  -- a text from before a rejected edit
  end if;
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  values (new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid)
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_unscreened() is 'Lists what a person wrote directly, or brought back; it runs after log_change, which names the operation.';
create trigger keepsake_55_mark_new_unscreened after insert on public.user_memory
  for each row when (new.source = 'seeded_profile'
    -- One or two words of letters are a name.
    and new.memory_text !~ '^(Name is|Goes by|Pronouns are) [[:alpha:]/''’.-]{1,30}( [[:alpha:]''’.-]{1,30})?$')
  execute function keepsake.mark_unscreened();
create trigger keepsake_55_mark_unscreened after update of memory_text, persona_id on public.user_memory
  for each row when ((new.memory_text, new.persona_id) is distinct from (old.memory_text, old.persona_id))
  execute function keepsake.mark_unscreened();

create function keepsake.hidden_secret() returns text
language sql immutable parallel safe set search_path = '' return '[removed, as it held a secret]';
comment on function keepsake.hidden_secret() is 'What stands in the audit log in place of a text that held a secret.';

create function keepsake.hide_secret(edited public.user_memory, rejection uuid) returns void
language plpgsql set search_path = '' as $$
declare
  name text;
  restored public.user_memory;
begin
  select m.* into restored from public.user_memory as m where m.user_id = edited.user_id and m.id = edited.id;
  foreach name in array array['memory_text', 'persona_id', 'source_quote'] loop
    continue when to_jsonb(edited) ->> name is not distinct from to_jsonb(restored) ->> name;
    update keepsake.changes as c set
      before = case when c.before ->> name = to_jsonb(edited) ->> name
        then jsonb_set(c.before, array[name], to_jsonb(keepsake.hidden_secret())) else c.before end,
      after = case when c.after ->> name = to_jsonb(edited) ->> name
        then jsonb_set(c.after, array[name], to_jsonb(keepsake.hidden_secret())) else c.after end
    where c.user_id = edited.user_id and c.table_name = 'user_memory' and c.row_id = edited.id
      and (c.before ->> name = to_jsonb(edited) ->> name or c.after ->> name = to_jsonb(edited) ->> name);
  end loop;
  -- Nobody brings the secret back: there is nothing left to undo to.
  update keepsake.changes as c set undone_at = now()
  where c.user_id = edited.user_id and c.operation_id = rejection and c.undone_at is null;
end
$$;
comment on function keepsake.hide_secret(public.user_memory, uuid) is 'Takes the words of a rejected edit out of the audit log, and marks its rejection as one that is not undone.';
grant execute on function keepsake.hidden_secret(), keepsake.hide_secret(public.user_memory, uuid) to service_role;

create function keepsake.reject_edit(person uuid, edit keepsake.unscreened_edits, rejection text) returns boolean
language plpgsql set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('system', 'the edit was rejected: ' || reject_edit.rejection);
  touched bigint;
  edited public.user_memory;
begin
  select m.* into edited from public.user_memory as m where m.user_id = person and m.id = edit.memory_id;
  -- Where another memory has the key by now, this one does not come back.
  update public.user_memory as m set memory_text = b.memory_text, persona_id = b.persona_id,
    confidence_score = b.confidence_score, source = b.source, source_quote = b.source_quote, memory_key = b.memory_key,
    value = b.value, doubted_at = coalesce(m.doubted_at, b.doubted_at),
    status = case when m.status = 'active' and exists (
      select from public.user_memory as o
      where o.user_id = m.user_id and o.profile_id = m.profile_id and o.persona_id is not distinct from b.persona_id
        and o.memory_key = b.memory_key and o.status = 'active' and o.id <> m.id
    ) then 'deleted' else m.status end
  from (
    select r.* from keepsake.changes as c
    cross join lateral jsonb_populate_record(null::public.user_memory, c.before) as r
    where c.user_id = person and c.table_name = 'user_memory' and c.row_id = edit.memory_id
      and c.operation_id = edit.operation_id and c.before is not null
    order by c.seq limit 1
  ) as b
  where m.user_id = person and m.id = edit.memory_id
    and (m.memory_text, m.persona_id) is distinct from (b.memory_text, b.persona_id);
  get diagnostics touched = row_count;
  if touched = 0 then
    update public.user_memory as m set status = 'deleted',
      memory_text = case when reject_edit.rejection = 'secret' then keepsake.hidden_secret() else m.memory_text end
    where m.user_id = person and m.id = edit.memory_id and m.status <> 'deleted';
  end if;
  perform keepsake.end_operation(operation, 1);
  if reject_edit.rejection = 'secret' then
    perform keepsake.hide_secret(edited, operation);
  end if;
  return touched > 0;
end
$$;
comment on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) is 'Writes back what an edit changed, with the reason; a memory whose text before is not known is deleted. Returns whether the text before came back.';
grant execute on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) to service_role;

-- An edit that was rejected or never screened while its memory was forgotten is screened once the memory comes back.

create function keepsake.mark_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  select new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid
  where not exists (
    select from keepsake.unscreened_edits as e
    where e.user_id = new.user_id and e.memory_id = new.id and e.rejection is null
  )
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_restored() is 'Lists a memory that its person may have written and that came back, unless an edit of it is listed; it runs after log_change, which names the operation.';
create trigger keepsake_55_mark_restored after update of status on public.user_memory
  for each row when (old.status = 'deleted' and new.status <> 'deleted'
    and (new.source in ('user', 'seeded_profile') or new.persona_id is not null))
  execute function keepsake.mark_restored();
