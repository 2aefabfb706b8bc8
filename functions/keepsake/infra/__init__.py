"""Doers that know nothing of memories: settings, database, auth, queue, clock, logs."""
