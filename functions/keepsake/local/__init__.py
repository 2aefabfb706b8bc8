"""The embedded stack: Postgres, PostgREST, the functions and one gateway."""
