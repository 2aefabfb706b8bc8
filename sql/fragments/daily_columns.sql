-- What the summary of a day has of its own.
summary, key_themes
