"""Merging: decides what each statement of a message does to the memories that exist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import says_the_same
from keepsake.domain.entities import resolve_relative
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Candidate, Memory, Status
from keepsake.domain.merging import favorites
from keepsake.domain.merging.added_detail import says_more, says_same_possession
from keepsake.domain.merging.contradictions import find_contradictions
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.fulfilled_plans import find_fulfilled_plans
from keepsake.domain.merging.precedence import check_precedence, has_same_value, may_share_key, reinforce, with_key
from keepsake.domain.reading.statements import key_of
from keepsake.domain.text import slug


def merge(candidates: Sequence[Candidate], existing: Sequence[Memory], *, said_at: datetime) -> list[Decision]:
    """A decision for each candidate, in order; one message changes each memory at most once.

    A decision may contradict other memories ("I don't like pizza any more" ends "favorite food is pizza"): each of
    them gets a ``Retract`` of its own, right after its cause. What is new takes the place of a plan that it fulfills.
    """
    active = _active(existing)
    candidates = [_with_own_key(candidate) for candidate in candidates]
    stated = [candidate for candidate in candidates if candidate.key and not candidate.retracts]
    last = {candidate.key: candidate for candidate in stated}
    decisions: list[Decision] = []
    accepted: list[Candidate] = []
    changed: set[UUID] = set()
    for candidate in candidates:
        is_read_anew = candidate.key is None and any(one.corrects and one.quote == candidate.quote for one in stated)
        is_later = not candidate.retracts and last.get(candidate.key, candidate) is not candidate
        decision = (
            _drop_within_message(candidate, accepted, stated, is_corrected=is_read_anew or is_later)
            or _drop_unknown_subject(candidate, active, said_at)
            or _replace_plan(_decide_once(candidate, active, changed, said_at), active, changed, said_at)
        )
        decisions.append(decision)
        changed.update(_changed_ids(decision))
        if not isinstance(decision, Drop):
            accepted.append(candidate)
        for effect in _side_effects(decision, active, said_at):
            if changed.isdisjoint(_changed_ids(effect)):
                decisions.append(effect)
                changed.update(_changed_ids(effect))
    return decisions


def decide(candidate: Candidate, existing: Sequence[Memory], *, said_at: datetime) -> Decision:
    """What one candidate, said at ``said_at``, does to the active memories of its author."""
    return _decide(_with_own_key(candidate), _active(existing), said_at)


def _with_own_key(candidate: Candidate) -> Candidate:
    """The candidate with the key that its text gives, where it came without one."""
    if candidate.key is None and (known := key_of(candidate.text)):
        return replace(candidate, key=known[0], value=known[1])
    return candidate


def _active(existing: Sequence[Memory]) -> list[Memory]:
    """The active memories, each with a key where its text gives one."""
    return [with_key(memory) for memory in existing if memory.status is Status.ACTIVE]


def _drop_within_message(
    candidate: Candidate, accepted: Sequence[Candidate], stated: Sequence[Candidate], *, is_corrected: bool
) -> Drop | None:
    """Drop what the same message corrects, repeats, or names as a favorite."""
    if is_corrected:
        return Drop(candidate, "corrected", explanation="the same message says it otherwise, or again, later on")
    if favorites.is_named_as_favorite(candidate, stated):
        return Drop(candidate, "repeated", explanation="the same message names it as a favorite")
    if any(_repeats(candidate, other) for other in accepted):
        return Drop(candidate, "repeated", explanation="the same message says it twice")
    return None


def _drop_unknown_subject(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Drop | None:
    """Drop what only changes known memories ("Kiwi died") where it changes none."""
    is_keyed = candidate.key is not None
    if candidate.only_if_value_unknown and is_keyed and any(memory.key == candidate.key for memory in active):
        return Drop(candidate, "repeated", explanation="another value is known, which this does not replace")
    if not candidate.only_if_subject_known or any(_retractions(candidate, active, said_at)):
        return None
    return Drop(candidate, "unknown_subject", explanation="nothing stored says whom this is about")


def _decide_once(candidate: Candidate, active: Sequence[Memory], changed: set[UUID], said_at: datetime) -> Decision:
    """Decide without the memories that this message has changed; what only repeats one of these is dropped."""
    decision = _decide(candidate, [memory for memory in active if memory.id not in changed], said_at)
    if isinstance(decision, Insert) and changed:
        against_all = _decide(decision.candidate, active, said_at)
        if isinstance(against_all, Reinforce) and against_all.memory_id in changed:
            return Drop(decision.candidate, "repeated", explanation="the same message says it twice")
    return decision


def _replace_plan(decision: Decision, active: Sequence[Memory], changed: set[UUID], said_at: datetime) -> Decision:
    """Let what is new take the place of the plan that it fulfills, so that its history says what came of it."""
    if not isinstance(decision, Insert) or decision.expired_id is not None:
        return decision
    fulfilled = find_fulfilled_plans(decision.candidate, active, said_at)
    plan = next((memory for memory in fulfilled if memory.id not in changed), None)
    if plan is None:
        return decision
    return Supersede(plan.id, decision.candidate, explanation=_came_true(plan), fulfills_plan=True)


def _came_true(plan: Memory) -> str:
    return f"{plan.ref} was planned, and has come true"


def _decide(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Decision:
    if candidate.retracts:
        return _retract(candidate, active, said_at)
    candidate = resolve_relative.resolve_relative(candidate, active)
    for key in resolve_relative.candidate_keys(candidate, active):
        for memory in active:
            if memory.key == key:
                return _decide_same_key(candidate, memory, said_at)
    return (
        _drop_older(candidate, active, said_at)
        or _join_duplicate(candidate, active, said_at)
        or Insert(candidate, explanation="nothing stored says this yet")
    )


def _decide_same_key(candidate: Candidate, memory: Memory, said_at: datetime) -> Decision:
    if not is_current(memory, said_at):
        explanation = f"{memory.ref} has the same key, and its time is over"
        return Insert(candidate, explanation=explanation, expired_id=memory.id)
    if has_same_value(candidate, memory):
        if enriched := _enrich(candidate, memory, said_at):
            return enriched
        return reinforce(candidate, memory, said_at, f"{memory.ref} has the same key and the same value")
    explanation = f"{memory.ref} has the same key and another value"
    return check_precedence(candidate, memory, said_at) or Supersede(memory.id, candidate, explanation=explanation)


def _drop_older(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Drop | None:
    """Drop a statement that arrives late, where a newer memory contradicts it or says that it is over."""
    past_key = None if candidate.key is None else _past_key(candidate)
    newer = [memory for memory in active if said_at < memory.last_said_at]
    against = [memory for memory in newer if memory.key == past_key] if past_key else []
    against += [contradiction.memory for contradiction in find_contradictions(candidate, newer)]
    return Drop(candidate, "older", explanation=f"{against[0].ref} was said later") if against else None


def _join_duplicate(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Reinforce | Supersede | None:
    """Reinforce the memory that says the same under another key or in other words, or replace one that says less."""
    if (favorite := favorites.find_favorite(candidate, active)) is not None and is_current(favorite, said_at):
        return reinforce(candidate, favorite, said_at, f"{favorite.ref} names it as a favorite already")
    current = [memory for memory in active if is_current(memory, said_at)]
    for memory in current:
        if _repeats(candidate, memory):
            return reinforce(candidate, memory, said_at, f"{memory.ref} says the same in nearly the same words")
        if says_more(memory, candidate):
            return reinforce(candidate, memory, said_at, f"{memory.ref} says the same and more")
    return next(filter(None, (_enrich(candidate, memory, said_at) for memory in current)), None)


def _enrich(candidate: Candidate, memory: Memory, said_at: datetime) -> Supersede | None:
    """Replace the memory that says the same and less, unless it takes precedence."""
    if not says_more(candidate, memory) or check_precedence(candidate, memory, said_at) is not None:
        return None
    longer = replace(candidate, importance=max(candidate.importance, memory.importance))
    return Supersede(memory.id, longer, explanation=f"{memory.ref} says the same and less", adds_detail=True)


def _repeats(candidate: Candidate, other: Candidate | Memory) -> bool:
    """Whether both say the same: in nearly the same words, or of one thing that the person has."""
    is_same = may_share_key(candidate, other) and says_the_same(candidate.text, other.text)
    return is_same or says_same_possession(candidate, other)


def _retract(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Decision:
    """Close the memory under the key, if it is what the person takes back; keep the statement as past."""
    past = _as_past(candidate)
    for memory in active if candidate.key is not None else ():
        if memory.key != candidate.key or not (candidate.value is None or has_same_value(candidate, memory)):
            continue
        known = past is not None and any(other.key == past.key for other in active if other.key is not None)
        explanation = f"the person takes {memory.ref} back"
        refusal = check_precedence(candidate, memory, said_at)
        return refusal or Retract(memory.id, None if known else past, explanation=explanation)
    if past is None:
        return Drop(candidate, "nothing_to_retract", explanation="nothing stored says what is taken back")
    return _decide(past, active, said_at)


def _as_past(candidate: Candidate) -> Candidate | None:
    """The statement that something no longer holds, under a key of its own."""
    if not candidate.text:
        return None
    key = None if candidate.key is None else _past_key(candidate).rstrip("|")
    return replace(candidate, key=key, retracts=False)


def _past_key(candidate: Candidate) -> str:
    """The key of what no longer holds: ``…|employer|past|acme``."""
    return f"{candidate.key}|past|{slug(candidate.value or '')}"


def _side_effects(decision: Decision, active: Sequence[Memory], said_at: datetime) -> Iterator[Retract | Reinforce]:
    """What a decision does to other memories: it ends what it contradicts, and a favorite reinforces the liking."""
    if not isinstance(decision, Insert | Supersede | Reinforce):
        return
    if not isinstance(decision, Reinforce):
        yield from _retractions(decision.candidate, active, said_at)
        for plan in find_fulfilled_plans(decision.candidate, active, said_at):
            yield Retract(plan.id, None, explanation=_came_true(plan), why=decision.candidate.why)
    current = [memory for memory in active if is_current(memory, said_at)]
    if (liking := favorites.find_liking(decision.candidate, current)) is not None:
        yield reinforce(decision.candidate, liking, said_at, f"{liking.ref} is the liking of what is a favorite")


def _retractions(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> Iterator[Retract]:
    """A retraction of each memory that the candidate contradicts and takes precedence over."""
    for contradiction in find_contradictions(candidate, active):
        if check_precedence(candidate, contradiction.memory, said_at) is None:
            yield Retract(contradiction.memory.id, None, explanation=contradiction.explanation, why=candidate.why)


def _changed_ids(decision: Decision) -> tuple[UUID, ...]:
    match decision:
        case Reinforce(memory_id=changed) | Supersede(old_id=changed) | Retract(old_id=changed):
            return (changed,)
        case Insert(expired_id=UUID() as expired):
            return (expired,)
        case _:
            return ()
