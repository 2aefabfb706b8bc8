"""What an endpoint takes in a request for a model, shared by all processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from keepsake.infra.database import Connection, queries
from keepsake.infra.models.request_profile import RequestProfile, SchemaMode

_SQL = queries.load("model_profiles")


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """What was learnt of a model, and how many seconds ago."""

    refused: list[str]
    schema_mode: SchemaMode
    age: float

    @property
    def profile(self) -> RequestProfile:
        """The same, as requests are made from it."""
        return RequestProfile(frozenset(self.refused), self.schema_mode)


async def recent_profile(conn: Connection, model: str, *, now: datetime) -> StoredProfile | None:
    """What was learnt of a model in the last day."""
    return await _SQL["recent_profile"].one(conn, class_row(StoredProfile), model=model, now=now)


async def save_profile(conn: Connection, model: str, profile: RequestProfile, *, now: datetime) -> None:
    """Keep what was learnt of a model."""
    refused = sorted(profile.refused)
    await _SQL["save_profile"].execute(conn, model=model, refused=refused, schema_mode=profile.schema_mode, now=now)
