-- The key and the value of an edited memory are derived again from its text when the edit is screened. They belong to the
-- edit: deriving them is no change of its own, and undo neither stumbles over them nor takes them away from their text.
--
-- More writers of the session settings, as the table in change_log lists them:
--
-- | setting                         | set by                               | read by                                |
-- | ------------------------------- | ------------------------------------ | -------------------------------------- |
-- | keepsake.raw_write              | sql/unscreened_edits                 |                                        |

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create or replace function keepsake.differs_only_in_usage(row_before jsonb, row_after jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select '{"doubted_at": null}'::jsonb || row_before - d.ignored = '{"doubted_at": null}'::jsonb || row_after - d.ignored
  from (
    select array['reference_count', 'last_referenced_at'] || array(
      select r.reference from unnest(array['conversation_id', 'source_message_id', 'supersedes_id']) as r (reference)
      where row_after ->> r.reference is null
    ) || case when row_before ->> 'memory_key' is null then array['memory_key', 'value'] else '{}' end as ignored
  ) as d
$$;
comment on function keepsake.differs_only_in_usage(jsonb, jsonb) is 'Whether two images of a row differ only in usage counters, in references whose target was deleted, or in a key that was derived since.';

create or replace function keepsake.row_to_restore(change keepsake.changes, present jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  image jsonb := change.before;
  counted text;
  reference text;
begin
  if change.action = 'update' then
    -- Uses that were counted since are not part of the operation: they stay.
    foreach counted in array array['reference_count', 'last_referenced_at'] loop
      if change.before -> counted = change.after -> counted
        or (counted = 'last_referenced_at' and present -> counted is distinct from change.after -> counted) then
        image := image || jsonb_build_object(counted, present -> counted);
      elsif counted = 'reference_count' then
        image := image || jsonb_build_object(counted, greatest(0, (present ->> counted)::int
          - (change.after ->> counted)::int + (change.before ->> counted)::int));
      end if;
    end loop;
    -- So does the key that was derived since from a text that stays.
    if image ->> 'memory_key' is null and image ->> 'memory_text' = present ->> 'memory_text' then
      image := image || jsonb_build_object('memory_key', present -> 'memory_key', 'value', present -> 'value');
    end if;
  end if;
  -- A reference whose target was deleted since becomes null; relink_memories sets those whose target comes back too.
  if image ->> 'conversation_id' is not null and not exists (select from public.conversations_participants as p
    where p.conversation_id = (image ->> 'conversation_id')::uuid and p.user_id = change.user_id) then
    image := image || '{"conversation_id": null}';
  end if;
  if image ->> 'source_message_id' is not null and not exists (select from public.messages as m
    where m.id = (image ->> 'source_message_id')::uuid and m.user_id = change.user_id) then
    image := image || '{"source_message_id": null}';
  end if;
  foreach reference in array array['supersedes_id', 'folded_into'] loop
    if image ->> reference is not null and not exists (select from public.user_memory as m
      where m.id = (image ->> reference)::uuid and m.user_id = change.user_id) then
      image := image || jsonb_build_object(reference, null);
    end if;
  end loop;
  return image;
end
$$;
