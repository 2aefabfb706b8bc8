-- Whether no summary, which every persona reads, may rest on the memory m: it is forgotten, reserved for one persona, or of
-- a type that its person does not allow.
(m.status = 'deleted' or m.persona_id is not null or m.memory_type <> all(coalesce((
  select r.allowed_types from public.user_memory_settings as r where r.user_id = m.user_id
), enum_range(null::public.memory_type))))
