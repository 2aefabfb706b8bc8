"""Merging: what a new statement does to the memories already there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import says_the_same
from keepsake.domain.entities import relative_slots
from keepsake.domain.extraction.rules import key_of
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Candidate, Memory, Status
from keepsake.domain.merging import favorites
from keepsake.domain.merging.contradictions import find_contradictions
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.precedence import (
    check_precedence,
    has_same_value,
    may_share_key,
    reinforce,
    with_derived_key,
)
from keepsake.domain.text import slug

__all__ = ["Decision", "Drop", "Insert", "Reinforce", "Retract", "Supersede", "decide", "merge"]

PAST = "past"
"""The part of a key under which a statement that no longer holds is kept (``…|employer|past|acme``)."""


def merge(candidates: Sequence[Candidate], existing: Sequence[Memory], *, said_at: datetime) -> list[Decision]:
    """A decision for each candidate, in order, as if each saw what those before it did.

    A statement may have consequences ("I don't like pizza any more" takes back "favorite food is pizza"); each is a
    ``Retract`` of its own, right after its cause.
    """
    decisions: list[Decision] = []
    kept: list[Candidate] = []
    touched: set[UUID] = set()
    stated = [candidate for candidate in candidates if candidate.key and not candidate.retracts]
    last = {candidate.key: candidate for candidate in stated}
    for candidate in candidates:
        said_later = not candidate.retracts and last.get(candidate.key, candidate) is not candidate
        decision: Decision | None = _within_message(candidate, kept, stated, later=said_later)
        if decision is None and candidate.only_if_subject_known and not _consequences_of(candidate, existing, said_at):
            decision = Drop(candidate, "unknown_subject", explanation="nothing stored says whom this is about")
        if decision is None:
            untouched = [memory for memory in existing if memory.id not in touched]
            decision = _once(decide(candidate, untouched, said_at=said_at), existing, touched, said_at)
        if not isinstance(decision, Drop):
            kept.append(candidate)
        for outcome in (decision, *_along(decision, existing, said_at)):
            if outcome is decision or not touched.intersection(_touches(outcome)):
                decisions.append(outcome)
                touched.update(_touches(outcome))
    return decisions


def decide(candidate: Candidate, existing: Sequence[Memory], *, said_at: datetime) -> Decision:
    """What one candidate, said at ``said_at``, does to the active memories of its author."""
    active = [with_derived_key(memory) for memory in existing if memory.status is Status.ACTIVE]
    if candidate.key is None and (known := key_of(candidate.text)):
        candidate = replace(candidate, key=known[0], value=known[1])
    if candidate.retracts:
        return _take_back(candidate, active, said_at)
    candidate = relative_slots.resolve_relative(candidate, active)
    for key in relative_slots.slots(candidate, active):
        for memory in active:
            if memory.key == key:
                return _same_key(candidate, memory, said_at)
    if (refusal := _overtaken(candidate, active, said_at)) is not None:
        return refusal
    return _told_before(candidate, active, said_at) or Insert(candidate, explanation="nothing stored says this yet")


def _told_before(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Reinforce | None:
    """The memory that says it already, under another key or in other words."""
    if (favorite := favorites.find_favorite(candidate, active)) is not None and is_current(favorite, said_at):
        return reinforce(candidate, favorite, said_at, f"{favorite.ref} names it as a favorite already")
    for memory in active:
        if not is_current(memory, said_at):
            continue
        if may_share_key(candidate, memory) and says_the_same(candidate.text, memory.text):
            return reinforce(candidate, memory, said_at, f"{memory.ref} says the same in nearly the same words")
    return None


def _consequences(decision: Decision, existing: Sequence[Memory], said_at: datetime) -> list[Retract]:
    """What cannot hold any longer beside what was just stored."""
    if not isinstance(decision, Insert | Supersede):
        return []
    closed = decision.old_id if isinstance(decision, Supersede) else None
    return [
        consequence
        for consequence in _consequences_of(decision.candidate, existing, said_at)
        if consequence.old_id != closed
    ]


def _consequences_of(candidate: Candidate, existing: Sequence[Memory], said_at: datetime) -> list[Retract]:
    active = [with_derived_key(memory) for memory in existing if memory.status is Status.ACTIVE]
    return [
        Retract(memory.id, None, explanation=explanation)
        for memory, explanation in find_contradictions(candidate, active)
        if check_precedence(candidate, memory, said_at) is None
    ]


def _along(decision: Decision, existing: Sequence[Memory], said_at: datetime) -> list[Retract | Reinforce]:
    """What a decision does to other memories than the one it is about."""
    return [*_consequences(decision, existing, said_at), *_told_again(decision, existing, said_at)]


def _told_again(decision: Decision, existing: Sequence[Memory], said_at: datetime) -> list[Reinforce]:
    """The liking that is told again where its thing is named as a favorite."""
    if not isinstance(decision, Insert | Supersede | Reinforce):
        return []
    active = [memory for memory in map(with_derived_key, existing) if is_current(memory, said_at)]
    liking = favorites.find_liking(decision.candidate, active)
    if liking is None:
        return []
    return [reinforce(decision.candidate, liking, said_at, f"{liking.ref} is the liking of what is a favorite")]


def _same_key(candidate: Candidate, memory: Memory, said_at: datetime) -> Decision:
    if not is_current(memory, said_at):
        return Supersede(memory.id, candidate, explanation=f"{memory.ref} has the same key and has run out")
    if has_same_value(candidate, memory):
        return reinforce(candidate, memory, said_at, f"{memory.ref} has the same key and the same value")
    return _replace(candidate, memory, said_at, f"{memory.ref} has the same key and another value")


def _replace(candidate: Candidate, memory: Memory, said_at: datetime, explanation: str) -> Decision:
    refusal = check_precedence(candidate, memory, said_at)
    return refusal or Supersede(memory.id, candidate, explanation=explanation)


def _take_back(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Decision:
    """Close what is stored under the key, if it is what the person takes back; keep the statement as past."""
    past = _as_past(candidate)
    for memory in active if candidate.key is not None else ():
        if memory.key != candidate.key or not (candidate.value is None or has_same_value(candidate, memory)):
            continue
        known = past is not None and any(other.key == past.key for other in active if other.key is not None)
        refusal = check_precedence(candidate, memory, said_at)
        return refusal or Retract(memory.id, None if known else past, explanation=f"the person takes {memory.ref} back")
    if past is None:
        return Drop(candidate, "nothing_to_retract", explanation="nothing stored says what is taken back")
    return decide(past, active, said_at=said_at)


def _overtaken(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Drop | None:
    """Where something newer says the contrary, or that it is over, a statement that arrives late changes nothing."""
    past = None if candidate.key is None else f"{candidate.key}|{PAST}|{slug(candidate.value or '')}"
    newer = [memory for memory in active if said_at < memory.valid_from]
    against = [memory for memory in newer if memory.key == past] if past else []
    against += [memory for memory, _ in find_contradictions(candidate, newer)]
    return Drop(candidate, "older", explanation=f"{against[0].ref} was said later") if against else None


def _as_past(candidate: Candidate) -> Candidate | None:
    if not candidate.text:
        return None
    key = None if candidate.key is None else f"{candidate.key}|{PAST}|{slug(candidate.value or '')}".rstrip("|")
    return replace(candidate, key=key, retracts=False)


def _within_message(
    candidate: Candidate, kept: Sequence[Candidate], stated: Sequence[Candidate], *, later: bool
) -> Drop | None:
    if later:
        return Drop(candidate, "corrected", explanation="the same message says it otherwise, or again, later on")
    if favorites.is_named_as_favorite(candidate, stated):
        return Drop(candidate, "repeated", explanation="the same message names it as a favorite")
    for other in kept:
        if may_share_key(candidate, other) and says_the_same(candidate.text, other.text):
            return Drop(candidate, "repeated", explanation="the same message says it twice")
    return None


def _once(decision: Decision, existing: Sequence[Memory], touched: set[UUID], said_at: datetime) -> Decision:
    """An insert that only stands because the memory it repeats was already touched by this message is a repetition."""
    if not isinstance(decision, Insert) or not touched:
        return decision
    again = decide(decision.candidate, existing, said_at=said_at)
    if isinstance(again, Reinforce) and again.memory_id in touched:
        return Drop(decision.candidate, "repeated", explanation="the same message says it twice")
    return decision


def _touches(decision: Decision) -> tuple[UUID, ...]:
    match decision:
        case Reinforce(memory_id=touched) | Supersede(old_id=touched) | Retract(old_id=touched):
            return (touched,)
        case _:
            return ()
