"""Every named query prepares against the migrated database as who asks it, is used, and is asked by its own module."""

from __future__ import annotations

import ast
import re
from contextlib import AbstractContextManager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from keepsake.infra.database import queries
from keepsake.infra.database.queries import Query
from keepsake.infra.package_files import SQL_FOLDER
from tests.fixtures.db import Clone, Connection

STORE = Path(queries.__file__).parents[2] / "store"
STEMS = sorted(path.stem for path in SQL_FOLDER.glob("*.sql"))
AS_PERSON = {
    "visible_memories", "visible_message", "visible_conversation", "own_profile", "primary_profile", "own_profiles",
    "allowed_types", "profiles", "settings", "consent", "entities", "alias_proposals", "memories", "places",
    "place_mentions", "todos",
    "sessions", "session_summaries", "session_state", "spine",
    "conversation_summaries", "daily_summaries", "history_summaries", "weekly_summaries", "monthly_summaries",
    "yearly_comparisons",
}  # fmt: skip
AS_LOGIN = {"job_counts", "reset_role"}
UTILITY = {"reset_role"}
ADOPTED = """
create schema chat_copies;
create function chat_copies.repair(integer) returns integer language sql return 0;
grant usage on schema chat_copies to service_role;
"""
"""What an adopted application has beside the schema, as far as a query names it."""


def used_names(source: str) -> set[str]:
    """The names a store module asks for: what stands as a string in it."""
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def as_who_asks(db: Clone, query: Query) -> AbstractContextManager[Connection]:
    """A transaction of the role that the functions put the query from."""
    if query.name in AS_LOGIN:
        return psycopg.connect(db.api_url, row_factory=dict_row)
    is_of_person = query.name in AS_PERSON and not query.table  # erasures, which have the same names, are the service's
    return db.as_person(uuid4()) if is_of_person else db.as_service()


def as_prepared(query: Query) -> bytes:
    """The statement that prepares a query, with numbers for its parameters."""
    sql = query.sql
    for place, name in enumerate(sorted(query.parameters), 1):
        sql = sql.replace(f"%({name})s", f"${place}")
    return f"prepare {query.name} as {sql.replace('%%', '%')}".encode()


@pytest.mark.parametrize("stem", STEMS)
def test_every_query__prepares(db: Clone, stem: str) -> None:
    if stem == "chat_copies":
        with psycopg.connect(db.superuser_url) as owner:
            owner.execute(ADOPTED.encode())
    for query in queries.load(stem).values():
        with as_who_asks(db, query) as connection:
            connection.execute(query.sql.encode() if query.name in UTILITY else as_prepared(query))


@pytest.mark.parametrize("stem", STEMS)
def test_every_query__is_asked_by_the_module_of_its_name(stem: str) -> None:
    asked = used_names((STORE / f"{stem}.py").read_text(encoding="utf-8"))
    assert not queries.load(stem).keys() - asked


@pytest.mark.parametrize("stem", STEMS)
def test_every_query__is_lower_case_and_lists_its_columns(stem: str) -> None:
    for query in queries.load(stem).values():
        bare = re.sub(r"'[^']*'", "''", query.sql)
        assert not re.search(r"\b(SELECT|FROM|WHERE|UPDATE|INSERT|DELETE|JOIN|AND)\b", bare), query.name
        assert not re.search(r"\*\s+from\s+(public|keepsake)\.", bare), query.name


def test_every_store_module__asks_only_its_own_file() -> None:
    for module in STORE.glob("*.py"):
        loaded = re.findall(r'queries\.load\("(\w+)"\)', module.read_text(encoding="utf-8"))
        assert loaded in ([], [module.stem]), module.name
