-- The values of summary_columns, and of the columns after them.
%(outlines)s, %(conversation_count)s, %(source_ids)s, %(memory_ids)s, %(sources_hash)s, %(generator)s, %(prompt_version)s,
  %(message_ids)s, %(now)s, %(now)s
