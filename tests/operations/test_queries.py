"""Each query of ``sql/operations`` prepares against the migrated database, and is used by the command of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake import operations
from keepsake.infra.database.queries import Query, load
from keepsake.infra.package_files import SQL_FOLDER
from tests.fixtures.db import Clone

MODULES = [path for folder in operations.__path__ for path in Path(folder).rglob("*.py")]
# Stands for pg_cron, whose jobs the doctor reads where there is pg_cron.
CRON = """
create schema cron;
grant usage on schema cron to service_role;
create table cron.job (command text, active boolean);
"""
# Stand for an application that was adopted, and for the history of migrations, which its owner reads.
ADOPTED = """
create schema chat_copies;
create function chat_copies.counts(out found bigint, out readable bigint, out without_owner bigint, out deleted bigint,
  out without_account bigint, out failed bigint) returns record language sql return (0, 0, 0, 0, 0, 0);
grant usage on schema chat_copies to service_role;
"""
AS_OWNER = {"adopted_versions"}
FOLDER = SQL_FOLDER / "operations"
QUERIES = [query for path in sorted(FOLDER.glob("*.sql")) for query in load(path.stem, FOLDER).values()]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_query__prepares_and_is_used(db: Clone, query: Query) -> None:
    with db.as_owner() as owner:
        owner.execute(CRON + ADOPTED)
    sql = query.sql
    for number, name in enumerate(sorted(query.parameters), 1):
        sql = sql.replace(f"%({name})s", f"${number}")
    with db.as_owner() if query.name in AS_OWNER else db.as_service() as connection:
        connection.execute(f"prepare {query.name} as {sql}".encode())
    assert any(f'"{query.name}"' in module.read_text() for module in MODULES)
