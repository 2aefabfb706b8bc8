"""The embedded stack: what is started together, watched and stopped together."""
