-- The copies of an application's own chats, which triggers that `keepsake adopt` wrote keep up to date.

-- name: can_repair
-- Whether this application has such copies.
select to_regprocedure('chat_copies.repair(integer)') is not null

-- name: repair
-- Copies again the rows that could not be copied when they were written; returns how many are copied now.
select chat_copies.repair(%(limit)s)
