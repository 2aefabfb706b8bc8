"""Compares a statement with a memory: same key, same value, and which of the two takes precedence."""

from __future__ import annotations

from datetime import datetime

from keepsake.domain.lifecycle.lifetimes import importance_after_reinforcement, reference_count_after
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import SELF, parse_key
from keepsake.domain.merging.decisions import Drop, Reinforce
from keepsake.domain.reading.statements import key_of
from keepsake.domain.text import normalize_words

_NEGATIVE_VALUES = frozenset({"no", "0", "like", "dislike", ""})
"""Values that contradict a plain "yes"; with any other value, "yes" counts as the same."""

MIN_OVERRIDE_CONFIDENCE = 0.4
"""The confidence a correction needs to override what the person confirmed; sensitive topics have exactly this."""


def check_precedence(candidate: Candidate, memory: Memory, said_at: datetime) -> Drop | None:
    """The refusal, where the memory takes precedence: it is newer, or the person confirmed it."""
    if said_at < memory.last_said_at:
        return Drop(candidate, "older", explanation=f"{memory.ref} was said later")
    if memory.is_confirmed and not (candidate.corrects and candidate.confidence >= MIN_OVERRIDE_CONFIDENCE):
        return Drop(
            candidate, "confirmed", explanation=f"{memory.ref} is the person's own, and this was said in passing"
        )
    return None


def reinforce(candidate: Candidate, memory: Memory, said_at: datetime, explanation: str) -> Reinforce:
    """The decision to count a repetition of the memory."""
    count = reference_count_after(memory.reference_count)
    return Reinforce(
        memory.id,
        candidate,
        explanation=explanation,
        reference_count=count,
        importance=max(candidate.importance, importance_after_reinforcement(memory.importance, count)),
        confidence=max(memory.confidence, candidate.confidence),
        is_later=said_at > memory.last_said_at,
    )


def has_same_value(candidate: Candidate, memory: Memory) -> bool:
    """Whether both have the same value; "yes" equals every value that is not negative."""
    left, right = normalize_words(candidate.value or ""), normalize_words(memory.value or "")
    return left == right or ("yes" in (left, right) and not {left, right} & _NEGATIVE_VALUES)


def may_share_key(left: Candidate, right: Candidate | Memory) -> bool:
    """Whether both may be about the same thing: equal keys, one of them has none, or keys that repeat the wording.

    A key of a multi-valued attribute contains the words of the statement ("goal|marathon_next_spring"), so that two
    such keys of one type and one subject can mean the same. Where the wording is in no key, different keys are about
    different things ("works at Ikea", "worked at Ikea").
    """
    if left.key is None or right.key is None or left.key == right.key:
        return True
    return left.type is right.type and _has_equal_subject(left.key, right.key) and left.value == right.value


def _has_equal_subject(left: str, right: str) -> bool:
    """Whether two keys have the same subject and are multi-valued: the part that differs repeats the wording."""
    one, other = parse_key(left), parse_key(right)
    if "past" in {*one.rest, *other.rest} or "during" in {*one.rest, *other.rest}:
        return left == right
    length = 1 if one.subject == SELF else 0  # of the author, the attribute belongs to the subject
    has_same_subject = one[:3] == other[:3] and one.rest[:length] == other.rest[:length]
    return has_same_subject and min(len(one.rest), len(other.rest)) > length


def with_key(memory: Memory) -> Memory:
    """The memory with a key derived from its text, where it has none (an edit by the person clears the key)."""
    known = None if memory.key is not None else key_of(memory.text)
    return memory if known is None else memory._replace(key=known[0], value=known[1])
