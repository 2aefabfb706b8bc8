"""Every lock that the functions take, in the order in which a transaction must take them.

| order | lock                                | mode                     | taken by                                    |
|-------|-------------------------------------|--------------------------|---------------------------------------------|
| 1     | erasure of a person                 | advisory                 | ``lock_erasure``; shared: ``lock_out_erasure``, ``lock_out_erasure_and_merges``, ``lock_commands``, ``lock_claims`` |
| 2     | commands of a person, conversation  | advisory                 | ``lock_commands``                           |
| 3     | rate of a person                    | advisory                 | ``extractions.claim``, ``operations.increment_rate``, ``increment_rates`` |
| 4     | turns (``keepsake.extractions``)    | rows, by id              | ``lock_open_turns``, ``lock_turn``, ``lock_claims`` |
| 5     | settings of a person                | row                      | ``lock_consent``, ``lock_claims`` |
| 6     | participation in a conversation     | row                      | ``lock_consent``, ``lock_claims`` |
| 7     | merges into a profile               | advisory, by profile id  | ``lock_profile``, ``lock_profile_of``, ``lock_profiles_of_several``, ``lock_out_erasure_and_merges``, ``lock_profile_entities``, ``lock_profiles``, ``lock_all_profiles`` |
| 8     | memories                            | rows, by id              | ``lock_memories``, ``lock_all_memories``, ``lock_erased_memories`` |

Whoever takes several takes them in this order, so there is no deadlock; ``docs/transactions.md`` says which use case
takes which, and a test compares it with what they do. Every lock is held until the transaction ends.
"""  # noqa: E501 (a table)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import args_row, class_row, scalar_row

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.entities.entity import Entity
from keepsake.infra.database import Connection, queries
from keepsake.store.entities import entity_from
from keepsake.store.extractions import Claim
from keepsake.store.operations import MemoryWriter

_SQL = queries.load("locks")
_MAX_LOCKED = 5_000
"""Rows that one statement locks where an erasure may have any number of them."""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn of the person whose extraction has not ended."""

    id: UUID
    message_id: UUID
    conversation_id: UUID


@dataclass(frozen=True, slots=True)
class LockedTurn:
    """The result of a turn that is locked."""

    status: str
    results: Sequence[dict[str, Any]]
    operation_id: UUID | None


async def lock_erasure(conn: Connection, *, user_id: UUID) -> None:
    """Wait until no other transaction changes or erases what is the person's, and let none begin."""
    await _SQL["lock_erasure"].execute(conn, user_id=user_id)


async def lock_out_erasure(conn: Connection, *, user_id: UUID) -> None:
    """Wait for an erasure of the person's, and let none begin; others who call this at once do not wait."""
    await _SQL["lock_out_erasure"].execute(conn, user_id=user_id)


async def lock_commands(conn: Connection, *, user_id: UUID, conversation_id: UUID) -> None:
    """Wait until nobody else carries out a command of this person here, and lock out their erasure."""
    await _SQL["lock_commands"].execute(conn, user_id=user_id, conversation_id=conversation_id)


async def lock_open_turns(conn: Connection, *, user_id: UUID) -> list[OpenTurn]:
    """Lock the person's unfinished turns, so that nobody writes memories from them; returns them."""
    return await _SQL["lock_open_turns"].all(conn, class_row(OpenTurn), user_id=user_id)


async def lock_turn(conn: Connection, *, conversation_id: UUID, message_id: UUID) -> LockedTurn | None:
    """Wait for an extraction that is writing from this turn; returns its result, None where the turn has no row."""
    return await _SQL["lock_turn"].one(
        conn, class_row(LockedTurn), conversation_id=conversation_id, message_id=message_id
    )


async def lock_claims(conn: Connection, claims: Sequence[tuple[Claim, TurnContext]]) -> AsyncRawCursor[UUID]:
    """The ids of the claims of one token that are still valid; they stay so, and so does what their authors chose.

    They are fetched later: what the authors chose is read by the next statement, which travels with this one.
    """
    return await _SQL["lock_claims"].send(
        conn,
        scalar_row,
        ids=[claim.id for claim, _ in claims],
        token=claims[0][0].token,
        user_ids=[turn.author for _, turn in claims],
    )


async def lock_consent(conn: Connection, *, user_id: UUID, conversation_id: UUID, profile_id: UUID) -> bool:
    """Let nobody change what the person chose here; whether memory of the profile may be built."""
    building = await _SQL["lock_settings"].value(conn, user_id=user_id)
    is_enabled = await _SQL["lock_participation"].value(
        conn, user_id=user_id, conversation_id=conversation_id, profile_id=profile_id
    )
    return (building is None or bool(building)) and bool(is_enabled)


async def lock_profile(conn: Connection, *, user_id: UUID, profile_id: UUID) -> None:
    """Wait until nobody else merges into this profile."""
    await _SQL["lock_profile"].execute(conn, user_id=user_id, profile_id=profile_id)


async def lock_profile_of(writer: MemoryWriter) -> None:
    """Wait until nobody else merges into the profile of a writer, unless it is locked already."""
    if not writer.is_profile_locked:
        await lock_profile(writer.conn, user_id=writer.user_id, profile_id=writer.profile_id)


async def lock_profiles_of_several(conn: Connection, profiles: Sequence[tuple[UUID, UUID]]) -> None:
    """Wait until nobody else merges into these profiles of these people."""
    if profiles:
        user_ids, profile_ids = zip(*profiles, strict=True)
        await _SQL["lock_profiles_of_several"].execute(conn, user_ids=list(user_ids), profile_ids=list(profile_ids))


async def lock_out_erasure_and_merges(conn: Connection, *, user_id: UUID, profile_id: UUID) -> None:
    """Wait for an erasure of the person's and for merges into this profile, and let neither begin."""
    await _SQL["lock_out_erasure_and_merges"].execute(conn, user_id=user_id, profile_id=profile_id)


async def lock_profile_entities(conn: Connection, *, user_id: UUID, profile_id: UUID) -> AsyncRawCursor[Entity]:
    """Lock a profile against merges; asks for the entities that its memories are about."""
    return await _SQL["lock_profile_entities"].send(conn, args_row(entity_from), user_id=user_id, profile_id=profile_id)


async def lock_profiles(conn: Connection, *, user_id: UUID, profiles: Sequence[str]) -> None:
    """Wait until nobody merges into these profiles."""
    await _SQL["lock_profiles"].execute(conn, user_id=user_id, profiles=list(profiles))


async def lock_all_profiles(conn: Connection, *, user_id: UUID) -> None:
    """Wait until nobody merges into any profile of the person."""
    await _SQL["lock_all_profiles"].execute(conn, user_id=user_id)


async def lock_memories(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], even_one: bool = False) -> None:
    """Lock memories that will change, in the order of ids; a single one only with ``even_one``: if it is read first."""
    if len(ids) > 1 or (even_one and ids):
        await _SQL["lock_memories"].execute(conn, user_id=user_id, ids=list(ids))


async def lock_all_memories(conn: Connection, *, user_id: UUID) -> None:
    """Lock everything that is remembered of a person."""
    await _SQL["lock_all_memories"].execute(conn, user_id=user_id)


async def lock_erased_memories(conn: Connection, *, user_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """Lock the memories that are about to be deleted for good."""
    ordered = sorted(memory_ids)
    for first in range(0, len(ordered), _MAX_LOCKED):
        await _SQL["lock_erased_memories"].execute(
            conn, user_id=user_id, memory_ids=ordered[first : first + _MAX_LOCKED]
        )
