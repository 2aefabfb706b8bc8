-- What the summary of every level has beside its texts and the messages behind them; a change of it is a new version.
outlines, conversation_count, source_ids, memory_ids, sources_hash, generator, prompt_version
