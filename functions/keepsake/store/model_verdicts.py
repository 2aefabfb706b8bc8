"""The verdicts on models, each for an endpoint and a version of the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from keepsake.domain.extraction.verdict import Verdict
from keepsake.infra.database import Connection, queries

_SQL = queries.load("model_verdicts")


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A judgment as it is stored, with the version of the prompt it was made with."""

    verdict: Verdict
    prompt_version: str
    checked_at: datetime
    figures: Mapping[str, float]

    def applies_to(self, prompt_version: str) -> bool:
        """Whether it was made with this prompt."""
        return self.prompt_version == prompt_version


@dataclass(frozen=True, slots=True)
class _ModelVerdict:
    model: str
    verdict: Verdict
    prompt_version: str
    checked_at: datetime
    figures: Mapping[str, float]


async def stored_verdict(conn: Connection, model: str) -> StoredVerdict | None:
    """The last judgment of a model at its endpoint."""
    return await _SQL["stored_verdict"].one(conn, class_row(StoredVerdict), model=model)


async def all_verdicts(conn: Connection) -> list[tuple[str, StoredVerdict]]:
    """The last judgment of every model by its name, the newest first."""
    rows = await _SQL["all_verdicts"].all(conn, class_row(_ModelVerdict))
    return [(row.model, StoredVerdict(row.verdict, row.prompt_version, row.checked_at, row.figures)) for row in rows]


async def store_verdict(conn: Connection, model: str, stored: StoredVerdict) -> None:
    """Store a judgment in place of the one before."""
    await _SQL["store_verdict"].execute(
        conn,
        model=model,
        verdict=str(stored.verdict),
        prompt_version=stored.prompt_version,
        checked_at=stored.checked_at,
        figures=Jsonb(dict(stored.figures)),
    )
