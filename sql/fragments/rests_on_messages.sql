-- Whether the text s tells of messages though its person does not allow every type of memory: nobody knows which of their
-- sentences those are.
(s.message_ids <> '{}' and not %(types)s::public.memory_type[] @> enum_range(null::public.memory_type))
