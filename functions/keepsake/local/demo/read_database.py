"""Reads the database as its owner: what became of each message, all memories, and where a secret is stored."""

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

TIMEOUT_SECONDS = 20.0
POLL_SECONDS = 0.01
_COUNT = """
select count(*) as rows, count(*) filter (where lower(row) like any(%(spellings)s)
  or regexp_replace(lower(row), '[^a-z0-9]', '', 'g') like %(alphanumeric)s) as hits
from (select t::text as row from {} t) everything
"""


@dataclass(frozen=True, slots=True)
class SecretSearch:
    """The result of a search for a secret: rows that contain it by table, and how much was searched."""

    found: dict[str, int]
    tables: int
    rows: int


class DatabaseProbe:
    """A connection of the owner, for showing and checking only."""

    def __init__(self, owner_url: str) -> None:
        self._connection = psycopg.connect(owner_url, autocommit=True, row_factory=dict_row)
        self._queries = load("database_probe", Path(__file__).parent)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def wait_for(self, message_id: UUID) -> None:
        """Wait until the worker has finished with a message."""
        self._wait_until("is_finished", f"message {message_id}", message_id=message_id)

    def wait_for_summaries(self) -> None:
        """Wait until the worker has written the summaries that were queued."""
        self._wait_until("is_summarized", "summaries")

    def _wait_until(self, query: str, details: str, **params: Any) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._all(query, **params)[0][query]:
            if time.monotonic() > deadline:
                raise KeepsakeError(f"There was no outcome within {TIMEOUT_SECONDS:.0f} s.", details=details)
            time.sleep(POLL_SECONDS)

    def memories(self, user_id: UUID) -> list[DictRow]:
        """Return all memories of a person, whatever their status."""
        return self._all("memories", user_id=user_id)

    def outcomes(self) -> dict[UUID, DictRow]:
        """Return what became of each message that a person wrote."""
        return {outcome["message_id"]: outcome for outcome in self._all("outcomes")}

    def find_secret(self, secret: str) -> SecretSearch:
        """Search each column of each row of each table for a secret and for its parts."""
        found, rows, tables = {}, 0, self._all("base_tables")
        for table in tables:
            query = SQL(_COUNT).format(Identifier(table["schema"], table["name"]))
            (count,) = self._connection.execute(query, secret_patterns(secret)).fetchall()
            rows += count["rows"]
            if count["hits"]:
                found[f"{table['schema']}.{table['name']}"] = count["hits"]
        return SecretSearch(found, len(tables), rows)

    def _all(self, name: str, **parameters: Any) -> list[DictRow]:
        return self._connection.execute(self._queries[name].sql, parameters).fetchall()


def secret_patterns(secret: str) -> dict[str, Any]:
    """Return patterns for a secret: as written, its parts as lexemes, and its letters and digits alone."""
    text = secret.lower()
    parts = "".join(c if c.isalnum() else " " for c in text).split()
    lexemes = (f"%'{part}'%" for part in parts if len(part) >= 4)
    return {"spellings": [f"%{text}%", *lexemes], "alphanumeric": f"%{''.join(parts)}%"}


def count_log_lines(secret: str, logs: Iterable[Path]) -> tuple[int, int]:
    """Return how many lines the logs have, and how many of them contain the secret."""
    pattern = secret_patterns(secret)["alphanumeric"].strip("%")
    lines = [line for log in logs if log.exists() for line in log.read_text(errors="replace").splitlines()]
    matching = [line for line in lines if pattern in "".join(c for c in line.lower() if c.isalnum())]
    return len(lines), len(matching)
