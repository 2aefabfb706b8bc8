"""Looks behind the scenes as the owner of the database: what became of each turn, and where a secret stands."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Identifier

from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load

MAX_WAIT = 20.0
PAUSE = 0.01


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a secret was found: rows by table, and how much was searched."""

    found: dict[str, int]
    tables: int
    rows: int


class Evidence:
    """A connection that sees everything, used only to show and to check, never to make the demo work."""

    def __init__(self, owner_url: str) -> None:
        self._connection = psycopg.connect(owner_url, autocommit=True, row_factory=dict_row)
        self._queries = load("evidence", Path(__file__).parent)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def wait_for(self, message_id: UUID) -> DictRow:
        """Wait until the worker has finished with a turn, by looking at the data."""
        until = time.monotonic() + MAX_WAIT
        while not (rows := self._all("turn_outcome", message_id=message_id)):
            if time.monotonic() > until:
                raise KeepsakeError(f"A turn had no outcome within {MAX_WAIT:.0f} s.", details=f"message {message_id}")
            time.sleep(PAUSE)
        return rows[0]

    def remembered(self, user_id: UUID) -> list[DictRow]:
        """Every memory of one person, whatever its state."""
        return self._all("remembered", user_id=user_id)

    def outcomes(self) -> list[DictRow]:
        """What became of every turn that a person said."""
        return self._all("outcomes")

    def trace(self, secret: str) -> Trace:
        """Search every column of every row of every table for a secret, and for its parts."""
        found: dict[str, int] = {}
        tables = self._all("base_tables")
        rows = 0
        for table in tables:
            count = self._count(table, secret)
            rows += count["rows"]
            if count["hits"]:
                found[f"{table['schema']}.{table['name']}"] = count["hits"]
        return Trace(found, len(tables), rows)

    def _count(self, table: DictRow, secret: str) -> DictRow:
        """Count a table's rows, and those that hold the secret plain, without its punctuation, or as a lexeme."""
        query = SQL(
            "select count(*) as rows, count(*) filter (where lower(whole) like any(%(spellings)s)"
            " or regexp_replace(lower(whole), '[^a-z0-9]', '', 'g') like %(bare)s) as hits"
            " from (select t::text as whole from {} t) everything"
        ).format(Identifier(table["schema"], table["name"]))
        return self._connection.execute(query, spellings_of(secret)).fetchall()[0]

    def _all(self, name: str, **parameters: Any) -> list[DictRow]:
        return self._connection.execute(self._queries[name].sql, parameters).fetchall()


def spellings_of(secret: str) -> dict[str, Any]:
    """The patterns that betray a secret: as it was written, its parts as lexemes, and its bare letters and digits."""
    written = secret.lower()
    parts = "".join(c if c.isalnum() else " " for c in written).split()
    lexemes = (f"%'{part}'%" for part in parts if len(part) >= 4)
    return {"spellings": [f"%{written}%", *lexemes], "bare": f"%{''.join(parts)}%"}


def lines_with(secret: str, logs: Iterable[Path]) -> tuple[int, int]:
    """How many lines the logs have, and how many of them hold the secret."""
    bare = spellings_of(secret)["bare"].strip("%")
    lines = [line for log in logs if log.exists() for line in log.read_text(errors="replace").splitlines()]
    betraying = (line for line in lines if bare in "".join(c for c in line.lower() if c.isalnum()))
    return len(lines), sum(1 for _ in betraying)
