"""The trials of models that go on in the background, each with a version of the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from keepsake.infra.database import Connection, queries

_SQL = queries.load("model_trials")


@dataclass(frozen=True, slots=True)
class ClaimedTrial:
    """A trial whose next turn this worker may ask about, until its lease runs out."""

    model: str
    prompt_version: str
    until: datetime
    failures: int
    """Attempts before this one that failed, or ended unseen, one after another."""
    results: Sequence[Mapping[str, Any]]
    """What was made of the turns so far, in their order."""

    @property
    def key(self) -> dict[str, Any]:
        """What names the trial and the lease."""
        return {"model": self.model, "prompt_version": self.prompt_version, "until": self.until}


async def claim_queueing(
    conn: Connection, *, model: str, prompt_version: str, now: datetime, queue_at: datetime
) -> bool:
    """Whether a job is to be queued for this trial; until ``queue_at`` nobody else is told so."""
    params = {"model": model, "prompt_version": prompt_version, "now": now, "queue_at": queue_at}
    return await _SQL["claim_queueing"].value(conn, **params) is not None


async def claim_turn(
    conn: Connection, *, model: str, prompt_version: str, now: datetime, lease: timedelta
) -> ClaimedTrial | None:
    """Lease the next turn of a trial, longer after failures; None where another worker has it, or it has to wait."""
    params = {"model": model, "prompt_version": prompt_version, "now": now, "lease": lease}
    return await _SQL["claim_turn"].one(conn, class_row(ClaimedTrial), **params)


async def add_result(
    conn: Connection,
    trial: ClaimedTrial,
    result: Mapping[str, Any],
    *,
    now: datetime,
    queue_at: datetime,
    is_late: bool,
) -> None:
    """Add what was made of a turn, and end the lease, unless it had run out. A late answer is no success."""
    params = {"result": Jsonb([dict(result)]), "now": now, "queue_at": queue_at, "keeps_failures": is_late}
    await _SQL["add_result"].execute(conn, **trial.key, **params)


async def delay(
    conn: Connection,
    trial: ClaimedTrial,
    *,
    again_at: datetime,
    failure: str | None = None,
    counted: bool = False,
    restarts: bool = False,
) -> None:
    """End the lease and let the trial wait; a failure may be counted, and what was made of turns be dropped."""
    params = {"again_at": again_at, "failure": failure, "counted": int(counted), "restarts": restarts}
    await _SQL["delay"].execute(conn, **trial.key, **params)
