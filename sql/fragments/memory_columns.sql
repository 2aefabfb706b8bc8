-- What a memory is made of, in the order in which store/memories.memory_from takes it.
id, memory_no, memory_type, subtype, memory_text, confidence_score, importance, pinned, source, status,
reference_count, created_at, valid_from, memory_key, value, entity_refs, entity_label, language, expires_at,
last_referenced_at, conversation_id, persona_id, doubted_at, restated_at, period
