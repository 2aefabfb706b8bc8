"""The list of Keepsake's tables in the schema ``public`` is complete, and nothing else is taken for one of them."""

from __future__ import annotations

from pathlib import Path

from keepsake.operations.own_tables import ALONE, PERSONAL, TOGETHER
from tests.fixtures.db import Clone
from tests.operations.test_adopt import PEOPLE, VERCEL, adopted, run
from tests.operations.test_remove import removed


def test_list__has_every_table_that_the_migrations_make(db: Clone) -> None:
    made = db.all(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')"
    )
    assert {row["relname"] for row in made} == {*PERSONAL, *ALONE, *TOGETHER}


def test_table_of_the_application_with_a_name_like_keepsakes__stays(host_db: Clone, tmp_path: Path) -> None:
    """Only what Keepsake made goes; such a name is refused before, and stays the application's where it comes later."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    run(db, "create table public.user_memory_notes (note text); insert into public.user_memory_notes values ('a')")
    removed(db)
    assert db.value("select note from public.user_memory_notes") == "a"
