"""Brings memories back: read row by row, judged and screened without the database, then written as one operation."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO
from uuid import UUID

from keepsake.domain.lifecycle.lifetimes import MAX_ACTIVE_MEMORIES
from keepsake.domain.transfer.cell_checks import Terms
from keepsake.domain.transfer.import_plan import Room
from keepsake.domain.transfer.json_reader import HEADER, MEMORIES, Given, Malformed
from keepsake.domain.transfer.signing import Signer
from keepsake.domain.transfer.validate_row import Finding, Judged, judge, restorable, shown
from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.database import Profile, hidden_when_denied
from keepsake.infra.disk_queue import DiskQueue
from keepsake.infra.resources import Resources
from keepsake.store import exports, transfer
from keepsake.store.locks import lock_profiles
from keepsake.store.operations import operation
from keepsake.usecases import embed_memories
from keepsake.usecases.transfer.formats import Form, rows_of
from keepsake.usecases.transfer.report import ImportReport, Tally
from keepsake.usecases.transfer.writer import Writer

PROPOSALS = "alias_proposals"
"""Written after the memories: undo goes backwards, and a proposal would go unseen with the memories of its names."""
BATCH = 500
"""Rows that are judged, looked up and written at a time."""


@dataclass(slots=True)
class _Good:
    """The good rows of a file, put aside until all of it was read."""

    memories: DiskQueue[Judged] = field(default_factory=DiskQueue)
    others: Mapping[str, DiskQueue[Mapping[str, Any]]] = field(
        default_factory=lambda: {section: DiskQueue() for section in transfer.RESTORED}
    )
    profiles_of_others: set[str] = field(default_factory=set)


async def import_memories(
    resources: Resources,
    person: Person,
    content: BinaryIO | bytes,
    *,
    form: Form | None = None,
    profile_id: UUID | None = None,
    atomic: bool = False,
) -> ImportReport:
    """Import a file into a person's own profiles; the same file twice changes nothing.

    ``content`` is JSON (our own export, or a list of ``{"memory_text": …}``), one such object a line, or CSV; ``form``
    says which, else it shows. Rows that name no profile go to ``profile_id``, else to the primary one. With ``atomic``
    nothing is written where one row is refused.
    """
    terms = await _terms(resources, person, profile_id)
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    tally, good = Tally(), _Good()
    with ExitStack() as closing:
        closing.callback(good.memories.close)
        for spool in good.others.values():
            closing.callback(spool.close)
        try:
            given = rows_of(file, form)
            while told := await asyncio.to_thread(_sorted, given, terms, good):
                for one in told:
                    if isinstance(one, Judged):
                        tally.add(one)
                    elif one is not None:
                        tally.note(one)
        except Malformed as error:
            raise InvalidInput("The file cannot be read; nothing was imported.", details=str(error)) from None
        operation_id = None
        if not (atomic and tally.refused) and (tally.profiles or good.profiles_of_others):
            operation_id = await _write(resources, person, good, tally)
    return tally.report(operation_id=operation_id, profile_id=UUID(terms.target), atomic=atomic)


async def _terms(resources: Resources, person: Person, profile_id: UUID | None) -> Terms:
    """What the rows are judged by, as the person themself sees it."""
    async with resources.database.as_user(person) as conn:
        with hidden_when_denied():
            profiles = await transfer.own_profiles(conn, user_id=person.user_id)
        allowed = await transfer.allowed_types(conn, user_id=person.user_id)
    primary = next((profile for profile, is_primary in profiles.items() if is_primary), None)
    target = str(profile_id) if profile_id else primary
    if target is None:
        raise Conflict("There is no primary profile that memories could belong to.")
    if target not in profiles:
        raise NotFound("There is no such profile, or it is not yours.")
    signer = Signer(resources.settings.signing_keys, person.user_id)
    return Terms(resources.clock.now(), frozenset(profiles), target, allowed, signer.verify)


def _sorted(given: Iterator[Given], terms: Terms, good: _Good) -> list[Judged | Finding | None]:
    """The next rows, the good ones put aside: each memory judged, and of the others what is to be said, if anything."""
    return [_told(one, terms, good) for one in islice(given, BATCH)]


def _told(one: Given, terms: Terms, good: _Good) -> Judged | Finding | None:
    if one.section == MEMORIES:
        judged = judge(one, terms)
        good.memories.write([judged] if judged.row is not None else [])
        return judged
    if one.section in good.others:
        row = restorable(one, terms)
        if row is None:
            return Finding(one.row, one.line, one.section, "not_signed_by_us")
        good.others[one.section].write([row])
        good.profiles_of_others.add(row["profile_id"])
        return None
    if one.section == HEADER:
        version = one.value.get("schema_version", exports.SCHEMA_VERSION)
        known = isinstance(version, int) and version <= exports.SCHEMA_VERSION
        return None if known else Finding(one.row, one.line, "schema_version", "newer_than_ours")
    known = any(section.name == one.section for section in exports.SECTIONS)
    return None if known else Finding(one.row, one.line, shown(one.section), "unknown_section")


async def _write(resources: Resources, person: Person, good: _Good, tally: Tally) -> UUID | None:
    """Write what is new as one operation, holding back merges into the same profiles meanwhile."""
    profiles = sorted(tally.profiles | good.profiles_of_others)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_profiles(conn, user_id=person.user_id, profiles=profiles)
        if not set(profiles) <= set(await transfer.own_profiles(conn, user_id=person.user_id)):
            raise Conflict("A profile was deleted while the file was read.", hint="Import it again.")
        room = Room(MAX_ACTIVE_MEMORIES, await transfer.count_active(conn, user_id=person.user_id, profiles=profiles))
        async with operation(conn, actor="user", reason="import") as op:
            writer = Writer(conn, person.user_id, op.id, room, tally, resources.clock.now().isoformat())
            before = [section for section in good.others if section != PROPOSALS]
            await _restore(writer, good, before)
            while batch := await asyncio.to_thread(good.memories.read, BATCH):
                await writer.write(batch)
            await _restore(writer, good, [PROPOSALS])
            await writer.finish()
        embed_memories.hint(resources, conn)
    return op.id if tally.counts["imported"] or sum(tally.also.values()) else None


async def _restore(writer: Writer, good: _Good, sections: Sequence[str]) -> None:
    for section in sections:
        while rows := await asyncio.to_thread(good.others[section].read, BATCH):
            await writer.restore(section, rows)
