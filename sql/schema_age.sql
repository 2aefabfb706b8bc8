-- Whether the database has the migrations of this release.

-- name: can_answer
-- Whether the database can name the migrations that it lacks; a function that an older one does not have.
select to_regprocedure('keepsake.missing_migrations(text[])') is not null as can_answer

-- name: missing_migrations
-- The migrations that the database lacks, in order.
select coalesce(keepsake.missing_migrations(%(versions)s::text[]), '{}') as missing
