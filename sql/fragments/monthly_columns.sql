-- What the summary of a month has of its own.
emotional_summary, cognitive_summary, key_themes, dominant_transits, planetary_influences, weekly_summaries_used
