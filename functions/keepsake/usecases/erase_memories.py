"""Erases what is stored about a person (hard delete): memories, a subject, a profile, or everything.

The transaction takes its locks in the lock order: the erasure, the open turns, the profiles, the memories by id. Turns
in progress end or are requeued, and messages from before an erasure of everything are never extracted again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from keepsake.errors import InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, hidden_when_denied
from keepsake.infra.logs import log
from keepsake.infra.progress import Progress
from keepsake.infra.resources import Resources
from keepsake.store import erasure, erasure_scope, participant_choices, turns_during_erasure
from keepsake.store.erasure_scope import ByIds, ByProfile, BySubject, ErasureTarget, Everything
from keepsake.store.locks import OpenTurn, lock_all_profiles, lock_erased_memories, lock_erasure, lock_open_turns
from keepsake.usecases.chat_send import LOOKS_BACK
from keepsake.usecases.erasure.survey import Survey, survey

_REF = re.compile(r"[Mm]-([1-9]\d{0,17})")
_ENTITY = re.compile(r"(person|place|org|project):\w+")
_SELF = "person:self"
"""The entity of nearly all memories: not accepted as a subject, because a person would expect it to mean little."""
_MAX_PASSES = 3


@dataclass(frozen=True, slots=True)
class EraseRequest:
    """What to erase: exactly one of the first four; with ``include_messages`` also the person's messages about it."""

    memory_ids: Sequence[str] | None = None
    subject: str | None = None
    profile_id: UUID | None = None
    everything: bool = False
    include_messages: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ErasedMemory:
    """An erased memory; its text only in a dry run."""

    id: UUID
    ref: str
    status: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """The rows erased (in a dry run: in scope) by table, and the rows that the same conditions found afterwards."""

    dry_run: bool
    erased: Mapping[str, int]
    remaining: Mapping[str, int] | None
    memories: tuple[ErasedMemory, ...]
    kept_newer: tuple[str, ...]
    erased_before: datetime | None = None


async def erase_memories(resources: Resources, person: Person, request: EraseRequest) -> Erasure:
    """Erase what the person selects, or with ``dry_run`` only report it."""
    target = await _target(resources, person, request)
    if request.dry_run:
        return await _preview(resources, target)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await turns_during_erasure.raise_statement_timeout(conn)
        await lock_erasure(conn, user_id=target.user_id)
        turns = await lock_open_turns(conn, user_id=target.user_id)
        erased_before = await _restrict_extraction(conn, target)
        await lock_all_profiles(conn, user_id=target.user_id)
        await turns_during_erasure.note_erasure(conn, user_id=target.user_id)
        await erasure_scope.open_folds(conn, target)
        found = await survey(conn, target)
        await lock_erased_memories(conn, user_id=target.user_id, memory_ids=found.scope.memory_ids)
        await _close_turns(conn, target, found, turns, erased_before)
        erased, remaining = await _erase(conn, found)
    log.info("erased", memories=len(found.memories), rows=erased.total(), remaining=remaining.total())
    return _report(found, erased, remaining=remaining, erased_before=erased_before)


async def _preview(resources: Resources, target: ErasureTarget) -> Erasure:
    async with resources.database.as_service() as conn:
        await turns_during_erasure.raise_statement_timeout(conn)
        async with conn.transaction(force_rollback=True):
            await erasure_scope.open_folds(conn, target)
            found = await survey(conn, target)
            return _report(found, await erasure.count(conn, found.scope))


async def _target(resources: Resources, person: Person, request: EraseRequest) -> ErasureTarget:
    """The target of a request; memories and profiles must be visible to the person."""
    chosen = (request.memory_ids is not None, request.subject is not None, request.profile_id is not None)
    if sum(chosen) + request.everything != 1:
        raise _invalid("exactly one of memory_ids, subject, profile_id, everything: true")
    selection: ByIds | BySubject | ByProfile | Everything = Everything()
    if request.memory_ids is not None:
        selection = ByIds(await _memory_ids(resources, person, request.memory_ids))
    elif request.subject is not None:
        selection = _subject(request.subject)
    elif request.profile_id is not None:
        selection = await _profile(resources, person, request.profile_id)
    return ErasureTarget(person.user_id, resources.clock.now(), selection, request.include_messages)


def _invalid(details: str) -> InvalidInput:
    return InvalidInput("Say what to erase.", details=details)


async def _profile(resources: Resources, person: Person, profile_id: UUID) -> ByProfile:
    async with resources.database.as_user(person) as conn:
        with hidden_when_denied():
            is_primary = await participant_choices.is_primary(conn, profile_id=profile_id, user_id=person.user_id)
    if is_primary is None:
        raise NotFound("There is no such profile, or it is not yours.")
    return ByProfile(profile_id, is_primary)


async def _memory_ids(resources: Resources, person: Person, names: Sequence[str]) -> list[UUID]:
    """The ids of memories that are named by id or by reference (M-12)."""
    if not names:
        raise _invalid("memory_ids: must name at least one memory")
    ids, numbers = set[UUID](), set[int]()
    for name in names:
        if ref := _REF.fullmatch(name):
            numbers.add(int(ref[1]))
        else:
            try:
                ids.add(UUID(name))
            except ValueError:
                raise _invalid("memory_ids: must be ids of memories, or as M-12") from None
    async with resources.database.as_user(person) as conn:
        visible_ids = await erasure_scope.visible_memories(conn, ids=list(ids), numbers=[])
        visible_numbers = await erasure_scope.visible_memories(conn, ids=[], numbers=list(numbers))
    if len(visible_ids) < len(ids) or len(visible_numbers) < len(numbers):
        raise NotFound("There is no such memory, or it is not yours.")
    return list({*visible_ids, *visible_numbers})


def _subject(text: str) -> BySubject:
    """A subject as the key of an entity, or as words; without any word it would match everything, and is refused."""
    subject = text.strip()
    if not any(character.isalnum() for character in subject):
        raise _invalid("subject: must hold a word")
    if subject.lower() == _SELF:
        raise _invalid("subject: a person is erased by everything: true")
    return BySubject(entities=[subject.lower()]) if _ENTITY.fullmatch(subject.lower()) else BySubject(subject)


async def _restrict_extraction(conn: Connection, target: ErasureTarget) -> datetime | None:
    """Never extract earlier messages again: the person's, returning from when on, or those under the profile."""
    match target.selection:
        case Everything() | ByProfile(is_primary=True):
            return await turns_during_erasure.set_erased_before(conn, user_id=target.user_id, now=target.now)
        case ByProfile(profile_id):
            await turns_during_erasure.restart_consent(
                conn, user_id=target.user_id, profile_id=profile_id, now=target.now
            )
    return None


async def _close_turns(
    conn: Connection, target: ErasureTarget, found: Survey, turns: Sequence[OpenTurn], erased_before: datetime | None
) -> None:
    """End the turns that could bring erased content back; requeue the other turns in progress."""
    user_id, open_ids = target.user_id, [turn.id for turn in turns]
    if erased_before is not None:
        late = await turns_during_erasure.unprocessed_messages(conn, user_id=user_id, since=erased_before)
        ended = [turn.message_id for turn in turns] + late
    elif isinstance(target.selection, ByProfile):
        conversation_ids = {one.id for one in found.conversations}
        ended = [turn.message_id for turn in turns if turn.conversation_id in conversation_ids]
    else:
        mentioning = await turns_during_erasure.pending_turns_mentioning(
            conn,
            user_id=user_id,
            memory_ids=found.scope.memory_ids,
            subject=target.subject,
            open_ids=open_ids,
            since=target.now - LOOKS_BACK,
        )
        ended = [*found.scope.message_ids, *mentioning]
    await turns_during_erasure.end_turns(conn, user_id=user_id, message_ids=ended, now=target.now)
    await turns_during_erasure.requeue_turns(conn, user_id=user_id, open_ids=open_ids, now=target.now)


async def _erase(conn: Connection, found: Survey) -> tuple[Counter[str], Counter[str]]:
    """Erase until no row is left, as others may write meanwhile; returns how many were erased, and are left."""
    erased, remaining, progress = Counter[str](), Counter[str](), Progress("erase")
    for _ in range(_MAX_PASSES):
        erased.update(await erasure.erase(conn, found.scope, progress.report))
        remaining = await erasure.count(conn, found.scope)
        if not remaining.total():
            break
    return erased, remaining


def _report(
    found: Survey,
    erased: Mapping[str, int],
    *,
    remaining: Mapping[str, int] | None = None,
    erased_before: datetime | None = None,
) -> Erasure:
    """The report of an erasure, or of a dry run: then nothing remains to be counted, and the texts are shown."""
    dry_run = remaining is None
    memories = tuple(
        ErasedMemory(memory.id, f"M-{memory.memory_no}", memory.status, memory.text if dry_run else None)
        for memory in found.memories
    )
    kept_newer = tuple(f"M-{number}" for number in found.successors)
    left = None if remaining is None else dict(remaining)
    return Erasure(dry_run, dict(erased), left, memories, kept_newer, erased_before)
