"""The servers of the embedded stack: Postgres, PostgREST, Node.js."""
