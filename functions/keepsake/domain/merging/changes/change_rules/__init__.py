"""Rules for changes of one kind of memory ("moved again", "we broke up"): read, matched, and what they mean found."""
