-- Whether the database has room to write.

-- name: set_small_memory
-- From here on in this transaction a sort of more than a few rows goes through a file.
select set_config('work_mem', '64kB', true)

-- name: sort_through_a_file
-- Sorts more than fits into memory: half a megabyte is written to a temporary file, which a full disk refuses.
select count(*) from (
  select md5(g.number::text) as word from generate_series(1, 8000) as g (number) order by 1 offset 1
) as sorted
