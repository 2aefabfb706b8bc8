-- Whether the summary t is erased: it rests on the memories, with the version before, or mentions the subject.
(%(everything)s or t.memory_ids && %(memory_ids)s::uuid[]
  or t.previous -> 'memory_ids' ?| %(memory_ids)s::text[]
  or keepsake.summary_mentions(to_jsonb(t), %(subject)s::text))
