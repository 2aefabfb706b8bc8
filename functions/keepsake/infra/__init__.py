"""Technical services that know nothing of memories: database, models, auth, settings, queue, logs, metrics."""
