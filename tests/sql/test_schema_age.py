"""The database names the migrations that it lacks, where its history can tell."""

from __future__ import annotations

from typing import LiteralString

import pytest

from keepsake.infra.package_files import migration_versions
from tests.fixtures.db import Clone

OURS = migration_versions()
FIRST = OURS[0]
LATER = "20990101000000"


def missing(db: Clone, change: LiteralString, *versions: str) -> list[str] | None:
    """What lacks of these versions after a change of the history, which is taken back."""
    with db.as_superuser() as connection, connection.transaction(force_rollback=True):
        connection.execute(change)
        connection.execute("set local role service_role")
        row = connection.execute("select keepsake.missing_migrations(%s) as missing", (list(versions),)).fetchone()
    assert row is not None
    answer: list[str] | None = row["missing"]
    return answer


def test_missing_migrations__are_those_of_a_later_release_in_order(db: Clone) -> None:
    assert missing(db, "select", LATER, *OURS, "20990102000000") == [LATER, "20990102000000"]
    assert missing(db, "select", *OURS) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("drop schema supabase_migrations cascade", id="applied by somebody else"),
        pytest.param("delete from supabase_migrations.schema_migrations", id="squashed"),
        pytest.param("alter table supabase_migrations.schema_migrations owner to current_user", id="of another role"),
    ],
)
def test_missing_migrations__are_none_where_the_history_does_not_say(db: Clone, change: LiteralString) -> None:
    assert not missing(db, change, FIRST, LATER)


def test_missing_migrations__are_the_business_of_the_service(db: Clone) -> None:
    assert db.value("select has_function_privilege('anon', 'keepsake.missing_migrations(text[])', 'execute')") is False
    assert (
        db.value("select has_function_privilege('authenticated', 'keepsake.missing_migrations(text[])', 'execute')")
        is False
    )
