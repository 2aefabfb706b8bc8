-- Nobody reads a table of the private schema or calls a function of it to whom it is not granted beside it. This file is the
-- last one, because Postgres grants every new function to everybody. A later migration says so for the function it creates.

revoke all on all tables in schema keepsake from public, anon, authenticated;
revoke all on all functions in schema keepsake from public, anon;
