"""Whatever a person may write has a largest size, in every column; a column without one fails here."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.rest import Rest
from tests.rest.access import TABLES
from tests.rest.victim import make_victim

HUGE = 2 * 1024 * 1024
UNLIMITED = {"text", "jsonb", "json", "bytea", "character varying", "xml"}
WRITTEN = [(table, column) for table, of in TABLES.items() for column in sorted(of.insert | of.update)]


@pytest.mark.parametrize("table, column", WRITTEN)
def test_a_column_people_write__has_a_largest_size(db: Clone, rest: Rest, table: str, column: str) -> None:
    kind = db.value(
        "select format_type(atttypid, atttypmod) from pg_attribute where attrelid = %s::regclass and attname = %s",
        (f"public.{table}", column),
    )
    if kind not in UNLIMITED and not kind.endswith("[]"):
        return
    victim = make_victim(db, People(db, FixedClock(db.value("select now()"))))
    browser = rest.as_person(victim.account.user_id)
    if column in TABLES[table].update:
        key = {name: f"eq.{value}" for name, value in victim.row(table).items()}
        answer = browser.patch(f"/{table}", params=key, json={column: huge(kind)})
    else:
        row: dict[str, Any] = {"id": str(uuid4()), "user_id": str(victim.account.user_id)}
        if table == "messages":
            row |= {"role": "user", "conversation_id": str(victim.ids["conversation"]), "content": "Hello"}
        answer = browser.post(f"/{table}", json=row | {column: huge(kind)})
    assert answer.status_code in {400, 403}, (kind, answer.text[:300])
    assert answer.json()["code"] in {"23514", "42501"}  # a check, or a policy that knows the few values


def huge(kind: str) -> Any:
    """Far too large a value of a type."""
    if kind.endswith("[]"):
        return ["fact"] * (HUGE // 10)
    return {"chart": "x" * HUGE} if kind == "jsonb" else "x" * HUGE
