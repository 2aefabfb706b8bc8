-- Whether the memory m may not be shown here: it is forgotten, of a type that its person does not allow, or reserved for
-- another persona.
(m.status = 'deleted' or m.memory_type <> all(%(types)s::public.memory_type[])
  or (m.persona_id is not null and m.persona_id is distinct from %(persona_id)s))
