"""Imports memories from a file: validates and stages every row without the database, then writes one operation."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO
from uuid import UUID

from keepsake.domain.lifecycle.lifetimes import MAX_ACTIVE_MEMORIES
from keepsake.domain.text import clean_text
from keepsake.domain.transfer.import_plan import Capacity
from keepsake.domain.transfer.import_row import ImportPolicy
from keepsake.domain.transfer.json_reader import MalformedFile
from keepsake.domain.transfer.signing import Signer
from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.database import Profile, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import imports
from keepsake.store.locks import lock_profiles
from keepsake.store.operations import operation
from keepsake.usecases.transfer.classify_rows import classify_rows
from keepsake.usecases.transfer.formats import FileFormat, rows_of
from keepsake.usecases.transfer.report import MAX_ROWS, ImportReport, Tally
from keepsake.usecases.transfer.staging import StagedRows, stage, validate
from keepsake.usecases.transfer.writer import Writer

ALIAS_PROPOSALS = "alias_proposals"
"""Restored after the memories, because undo runs backwards and deletes proposals together with their memories."""


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """Rows a file may have, active memories a profile may have, and rows that are validated or written at a time."""

    rows: int = MAX_ROWS
    active_memories: int = MAX_ACTIVE_MEMORIES
    batch: int = 500


DEFAULT_LIMITS = ImportLimits()


async def import_memories(
    resources: Resources,
    person: Person,
    content: BinaryIO | bytes,
    *,
    file_format: FileFormat | None = None,
    file_name: str | None = None,
    profile_id: UUID | None = None,
    atomic: bool = False,
    limits: ImportLimits = DEFAULT_LIMITS,
) -> ImportReport:
    """Import a file into the person's profiles; importing it again changes nothing.

    ``content`` is an export, a JSON list of ``{"memory_text": …}``, one such object a line, or CSV; the format is
    detected if ``file_format`` is None. Rows without a profile go to ``profile_id``, by default to the primary
    profile. With ``atomic`` nothing is written if one row is refused. The ``file_name`` is kept with the change,
    so that an explanation can name it.
    """
    reason = f"import of {' '.join(clean_text(file_name).split())}" if file_name else "import"
    policy, erasures = await _policy(resources, person, profile_id)
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    tally = Tally(limits.rows)
    with StagedRows() as staged, closing(rows_of(file, file_format)) as raw:
        rows = validate(raw, policy)
        try:
            while batch := await asyncio.to_thread(list, islice(rows, limits.batch)):
                screened, is_by_model = await classify_rows(resources.embedder, batch)
                tally.is_by_model &= is_by_model
                await asyncio.to_thread(stage, screened, staged, tally)
        except MalformedFile as error:
            raise InvalidInput("The file cannot be read; nothing was imported.", details=str(error)) from None
        operation_id = None
        if not (atomic and tally.refused) and (tally.profiles or staged.profiles):
            operation_id = await _write(resources, person, staged, tally, limits, erasures=erasures, reason=reason)
    return tally.report(operation_id=operation_id, profile_id=UUID(policy.target), atomic=atomic)


async def _policy(resources: Resources, person: Person, profile_id: UUID | None) -> tuple[ImportPolicy, int]:
    """The policy for the rows, from what the person may see; and how many times they have erased anything."""
    async with resources.database.as_service() as conn:
        erasures = await imports.count_erasures(conn, user_id=person.user_id)
    async with resources.database.as_user(person) as conn:
        with hidden_when_denied():
            profiles = await imports.own_profiles(conn, user_id=person.user_id)
        allowed = await imports.allowed_types(conn, user_id=person.user_id)
    primary = next((profile for profile, is_primary in profiles.items() if is_primary), None)
    target = str(profile_id) if profile_id else primary
    if target is None:
        raise Conflict("There is no primary profile that memories could belong to.")
    if target not in profiles:
        raise NotFound("There is no such profile, or it is not yours.")
    signer = Signer(resources.settings.signing_keys, person.user_id)
    return ImportPolicy(
        resources.clock.now(), person.user_id, frozenset(profiles), target, allowed, signer.verify
    ), erasures


async def _write(
    resources: Resources,
    person: Person,
    staged: StagedRows,
    tally: Tally,
    limits: ImportLimits,
    *,
    erasures: int,
    reason: str,
) -> UUID | None:
    """Write the new rows as one operation, with the profiles locked against merges; nothing after an erasure."""
    profiles, user_id = sorted(tally.profiles | staged.profiles), person.user_id
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_profiles(conn, user_id=user_id, profiles=profiles)
        if not set(profiles) <= set(await imports.own_profiles(conn, user_id=user_id)):
            raise Conflict("A profile was deleted while the file was read.", hint="Import it again.")
        if await imports.count_erasures(conn, user_id=user_id) != erasures:
            raise Conflict("Something was erased while the file was read.", hint="Import what you want to keep again.")
        active = await imports.count_active(conn, user_id=user_id, profiles=profiles)
        capacity = Capacity(limits.active_memories, active)
        async with operation(conn, actor="user", reason=reason) as op:
            writer = Writer(conn, user_id, op.id, capacity, tally, resources.clock.now().isoformat())
            await _restore(writer, staged, [name for name in staged.others if name != ALIAS_PROPOSALS], limits.batch)
            while batch := await asyncio.to_thread(staged.memories.read, limits.batch):
                await writer.write(batch)
            await _restore(writer, staged, [ALIAS_PROPOSALS], limits.batch)
            await writer.finish()
        resources.enqueue_embedding(conn)
    return op.id if tally.counts["imported"] or sum(tally.also_restored.values()) else None


async def _restore(writer: Writer, staged: StagedRows, sections: Sequence[str], batch: int) -> None:
    for section in sections:
        while rows := await asyncio.to_thread(staged.others[section].read, batch):
            await writer.restore(section, rows)
