-- What the summary of a week has of its own.
emotional_summary, summary, key_themes, dominant_patterns, energy_shifts
