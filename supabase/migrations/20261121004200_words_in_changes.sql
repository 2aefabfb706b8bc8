-- The words of memories leave the record of changes once nothing can be undone any more; what still holds some is found
-- by index.

create index changes_with_words on keepsake.changes (created_at) where before is not null or after is not null;
comment on index keepsake.changes_with_words is 'Changes that still hold a memory''s words, oldest first.';
