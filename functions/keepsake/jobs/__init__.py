"""Background jobs: their arguments, and the use case that each one calls."""
