"""The curator's work in the database: which profiles to look through, folding, and opening folds again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import dict_row, tuple_row

from keepsake.domain.lifecycle.consolidation import Fold
from keepsake.infra.database import Connection, queries

_SQL = queries.load("curation")
_LEAST_HELD = 100
_LEAST_GROWN = 20


@dataclass(frozen=True, slots=True)
class Crowded:
    """A profile that holds much and has grown."""

    user_id: UUID
    profile_id: UUID


async def next_crowded(
    conn: Connection, *, after: tuple[UUID, UUID], people: int
) -> tuple[Crowded | None, tuple[UUID, UUID] | None]:
    """The first of the next profiles that is worth a look, and after whom to go on; None where nobody is left."""
    given = {"after_user": after[0], "after": after[1], "people": people, "least": _LEAST_HELD, "grown": _LEAST_GROWN}
    row = await _SQL["next_crowded_profile"].one(conn, dict_row, **given)
    if row is None:
        return None, None
    if row["user_id"] is not None:
        found = Crowded(row["user_id"], row["profile_id"])
        return found, (found.user_id, found.profile_id)
    return None, (row["last_user"], row["last"]) if row["seen"] == people else None


async def note(conn: Connection, profile: Crowded, *, now: datetime) -> None:
    """Note that a profile was looked through."""
    await _SQL["record_consolidation"].execute(conn, user_id=profile.user_id, profile_id=profile.profile_id, now=now)


async def fold(conn: Connection, profile: Crowded, made: Fold, *, now: datetime) -> None:
    """Put one memory in the place of its members; an operation must have been begun."""
    ids = [member.id for member in made.members]
    given = {
        "user_id": profile.user_id,
        "profile_id": profile.profile_id,
        "ids": ids,
        "text": made.text,
        "key": made.key,
        "subtype": made.subtype.value,
        "entity_refs": list(made.entity_refs),
        "now": now,
    }
    (fold_id,) = await _SQL["insert_fold"].single(conn, tuple_row, **given)
    await _SQL["archive_members"].execute(conn, user_id=profile.user_id, ids=ids, fold=fold_id, now=now)


async def open_folds(conn: Connection, *, user_id: UUID, of: Sequence[UUID]) -> bool:
    """Open the folds that these memories are, or are in; whether there was one. An operation must have been begun."""
    folds = await _SQL["folds_of"].values(conn, user_id=user_id, ids=list(of))
    return bool(folds) and bool(await _SQL["open_folds"].value(conn, user_id=user_id, folds=folds))
