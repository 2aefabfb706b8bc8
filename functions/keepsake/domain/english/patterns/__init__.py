"""The language in which files say what words they match, and how these files are read; it knows nothing of memories."""
