"""docs/what-keepsake-adds.md names every table, function and trigger that a new database has, and no other."""

from __future__ import annotations

import re

from tests.architecture.source import ROOT
from tests.fixtures.db import Clone

PAGE = (ROOT / "docs" / "what-keepsake-adds.md").read_text()
CHAT = ["user_profile_list", "conversations", "conversations_participants", "messages", "conversation_summaries"]


def rows(heading: str) -> set[str]:
    """The names in the tables of a section, as its first cells, or its first two, have them."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    found = re.findall(r"^\| `([\w.]+)` \|(?: `(\w+)` \|)?", section, re.MULTILINE)
    return {" ".join(filter(None, cells)) for cells in found}


def test_page__names_every_table(db: Clone) -> None:
    """Public and private ones; vectors are there where pgvector is, as it is here."""
    relations = db.all(
        "select relname as name, relnamespace::regnamespace::text as schema from pg_class where relkind in ('r', 'v')"
        " and relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace)"
    )
    public = {row["name"] for row in relations if row["schema"] == "public"}
    assert rows("Tables that a person can read") == public - set(CHAT)
    assert {name for name in rows("Tables of a chat") if " " not in name} == set(CHAT)
    assert rows("Private tables") == {f"keepsake.{row['name']}" for row in relations if row["schema"] == "keepsake"}


def test_page__names_every_function_and_trigger(db: Clone) -> None:
    """Those that a person can call, and those on the tables that may be an application's."""
    functions = db.all("select proname as name from pg_proc where pronamespace = 'public'::regnamespace")
    assert rows("Functions that a person can call") == {row["name"] for row in functions}
    triggers = db.all(
        "select tgrelid::regclass || ' ' || tgname as name from pg_trigger"
        " where not tgisinternal and tgrelid = any (%s::regclass[])",
        ([f"public.{table}" for table in CHAT],),
    )
    expected = {row["name"].removeprefix("public.") for row in triggers}
    assert {name for name in rows("Tables of a chat") if " " in name} == expected
