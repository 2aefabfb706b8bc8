"""Erases what is remembered of a person, for good: by memory, by subject, by profile, or everything.

One transaction: it holds the person's open turns, then their settings, then merges, then the memories by id, and so
meets nobody in a circle. What was being extracted is ended or read again; what was said before is not read any more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.errors import InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, hidden_when_denied
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import conversations, erasure, erasure_scope
from keepsake.store.erasure_scope import Target
from keepsake.store.locks import OpenTurn, lock_all_profiles, lock_erased_memories, lock_erasure, lock_open_turns
from keepsake.usecases.chat_send import LOOKS_BACK
from keepsake.usecases.erasure.survey import Survey, survey

_REF = re.compile(r"[Mm]-([1-9]\d{0,17})")
_ENTITY = re.compile(r"(person|place|org|project):\w+")
_THEMSELVES = "person:self"
"""What most memories are about; as a subject it would take them nearly all, and be taken for little."""
_PASSES = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person wants gone: one of the first four, and with ``include_messages`` their messages about it too."""

    memory_ids: Sequence[str] | None = None
    subject: str | None = None
    profile_id: UUID | None = None
    everything: bool = False
    include_messages: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A memory that is gone, or in a dry run would be; only then its text is told."""

    id: UUID
    ref: str
    status: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Erased:
    """What went (in a dry run: would go), place by place, and what the same list of places counted afterwards."""

    dry_run: bool
    erased: Mapping[str, int]
    remaining: Mapping[str, int] | None
    memories: tuple[Gone, ...]
    kept_newer: tuple[str, ...]
    erased_before: datetime | None = None


async def erase_memories(resources: Resources, person: Person, wish: Wish) -> Erased:
    """Erase what the person names, or with ``dry_run`` only say what would go."""
    target, primary = await _target(resources, person, wish)
    if wish.dry_run:
        async with resources.database.as_service() as conn:
            await erasure_scope.take_time(conn)
            async with conn.transaction(force_rollback=True):
                await erasure_scope.open_folds(conn, target)
                found = await survey(conn, target)
                return _answer(found, await erasure.count(conn, found.scope), dry_run=True)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await erasure_scope.take_time(conn)
        await lock_erasure(conn, user_id=target.user_id)
        turns = await lock_open_turns(conn, user_id=target.user_id)
        moment = await _forbid(conn, target, primary=primary)
        await lock_all_profiles(conn, user_id=target.user_id)
        await erasure_scope.open_folds(conn, target)
        found = await survey(conn, target)
        await lock_erased_memories(conn, user_id=target.user_id, memory_ids=found.scope.memory_ids)
        await _close_turns(conn, target, found, turns, moment)
        gone, left = await _empty(conn, found)
    log.info("erased", memories=len(found.memories), rows=sum(gone.values()), remaining=sum(left.values()))
    return _answer(found, gone, remaining=left, moment=moment)


async def _target(resources: Resources, person: Person, wish: Wish) -> tuple[Target, bool]:
    """What is named, seen with the person's own eyes; and whether it is their primary profile."""
    named = [wish.memory_ids is not None, wish.subject is not None, wish.profile_id is not None, wish.everything]
    if sum(named) != 1:
        raise InvalidInput(
            "Say what to erase.", details="exactly one of memory_ids, subject, profile_id, everything: true"
        )
    common: dict[str, Any] = {"user_id": person.user_id, "now": resources.clock.now()}
    common["include_messages"] = wish.include_messages
    if wish.memory_ids is not None:
        return Target(**common, ids=await _seen(resources, person, wish.memory_ids)), False
    if wish.subject is not None:
        return Target(**common, **_subject(wish.subject)), False
    if wish.profile_id is None:
        return Target(**common, everything=True), True
    async with resources.database.as_user(person) as conn:
        with hidden_when_denied():
            primary = await conversations.is_primary(conn, profile_id=wish.profile_id, user_id=person.user_id)
    if primary is None:
        raise NotFound("There is no such profile, or it is not yours.")
    return Target(**common, profile_id=wish.profile_id), primary


async def _seen(resources: Resources, person: Person, named: Sequence[str]) -> list[UUID]:
    """The ids of the memories that are named by id or as M-12; each must be the person's own."""
    if not named:
        raise InvalidInput("Say what to erase.", details="memory_ids: must name at least one memory")
    ids, numbers = set[UUID](), set[int]()
    for name in named:
        if ref := _REF.fullmatch(name):
            numbers.add(int(ref[1]))
        else:
            try:
                ids.add(UUID(name))
            except ValueError:
                raise InvalidInput(
                    "Say what to erase.", details="memory_ids: must be ids of memories, or as M-12"
                ) from None
    async with resources.database.as_user(person) as conn:
        seen_ids = await erasure_scope.visible(conn, ids=list(ids), numbers=[])
        seen_numbers = await erasure_scope.visible(conn, ids=[], numbers=list(numbers))
    if len(seen_ids) < len(ids) or len(seen_numbers) < len(numbers):
        raise NotFound("There is no such memory, or it is not yours.")
    return list({*seen_ids, *seen_numbers})


def _subject(text: str) -> dict[str, Any]:
    """A subject as the key of an entity, or as words; what holds no word is refused, for it would mean anything."""
    said = text.strip()
    if not any(character.isalnum() for character in said):
        raise InvalidInput("Say what to erase.", details="subject: must hold a word")
    if said.lower() == _THEMSELVES:
        raise InvalidInput("Say what to erase.", details="subject: a person is erased by everything: true")
    return {"entities": [said.lower()]} if _ENTITY.fullmatch(said.lower()) else {"subject": said}


async def _forbid(conn: Connection, target: Target, *, primary: bool) -> datetime | None:
    """Let nothing be read again that was said before: of the person, or where another profile of theirs is chosen."""
    if target.everything or primary:
        return await erasure_scope.forbid_before(conn, user_id=target.user_id, now=target.now)
    if target.profile_id is not None:
        await erasure_scope.start_anew(conn, user_id=target.user_id, profile_id=target.profile_id, now=target.now)
    return None


async def _close_turns(
    conn: Connection, target: Target, found: Survey, turns: Sequence[OpenTurn], moment: datetime | None
) -> None:
    """End the turns that could bring back what goes; others that somebody is at are read again from the start."""
    user_id, ids = target.user_id, found.scope.memory_ids
    held = [turn.id for turn in turns]
    if moment is not None:
        late = await erasure_scope.not_looked_at(conn, user_id=user_id, since=moment)
        ended = [turn.message_id for turn in turns] + late
    elif target.partial:
        since = target.now - LOOKS_BACK
        again = await erasure_scope.says_it_too(conn, target, memory_ids=ids, held=held, since=since)
        ended = [*found.scope.message_ids, *again]
    else:
        within = {chat.id for chat in found.chats}
        ended = [turn.message_id for turn in turns if turn.conversation_id in within]
    await erasure_scope.end_turns(conn, user_id=user_id, message_ids=ended, now=target.now)
    await erasure_scope.begin_again(conn, user_id=user_id, held=held, now=target.now)


async def _empty(conn: Connection, found: Survey) -> tuple[dict[str, int], dict[str, int]]:
    """Empty every place until the same list finds nothing; what came in between, from a webhook say, goes too."""
    gone: dict[str, int] = {}
    for _ in range(_PASSES):
        for label, count in (await erasure.erase(conn, found.scope)).items():
            gone[label] = gone.get(label, 0) + count
        left = await erasure.count(conn, found.scope)
        if not any(left.values()):
            break
    return gone, left


def _answer(
    found: Survey,
    erased: Mapping[str, int],
    *,
    remaining: Mapping[str, int] | None = None,
    dry_run: bool = False,
    moment: datetime | None = None,
) -> Erased:
    memories = tuple(
        Gone(memory.id, f"M-{memory.memory_no}", memory.status, memory.text if dry_run else None)
        for memory in found.memories
    )
    return Erased(dry_run, erased, remaining, memories, tuple(f"M-{number}" for number in found.newer), moment)
