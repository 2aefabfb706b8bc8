-- What a change c of a memory m was: the action, its states and text, by whom, the reason, and the mechanism.
c.row_id as memory_id, coalesce(m.memory_no, (c.after ->> 'memory_no')::bigint) as memory_no, c.action,
c.before ->> 'status' as status_before, c.after ->> 'status' as status_after,
c.before ->> 'doubted_at' is null and c.after ->> 'doubted_at' is not null as is_doubted,
case when m.status <> 'deleted' then nullif(c.before ->> 'memory_text', c.after ->> 'memory_text') end as text_before,
c.after ->> 'source' as source_after,
case when m.status <> 'deleted' then coalesce(c.after ->> 'memory_text', m.memory_text) end as text,
c.actor, c.reason, c.why, c.created_at, c.undone_at, c.operation_id
