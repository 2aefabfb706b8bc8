"""What a statement and a memory are to each other: the same value, the same thing, and which of them stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from keepsake.domain.extraction.rules import key_of
from keepsake.domain.lifecycle.lifetimes import importance_after_reinforcement, reference_count_after
from keepsake.domain.memory import Candidate, Memory, Source
from keepsake.domain.merging.decisions import Drop, Reinforce
from keepsake.domain.text import normalize_words

_NEGATIVE_VALUES = frozenset({"no", "0", "like", "dislike", ""})
"""Values that a mere "yes" does not go with; beside any other it says the same, only less."""

MIN_OVERRIDE_CONFIDENCE = 0.4
"""How sure a correction must be to override what the person confirmed (a private topic is never surer than this)."""


def check_precedence(candidate: Candidate, memory: Memory, said_at: datetime) -> Drop | None:
    """Why the stored memory may not be overridden, where it may not."""
    if said_at < memory.valid_from:
        return Drop(candidate, "older", explanation=f"{memory.ref} was said later")
    if _is_confirmed(memory) and not (candidate.corrects and candidate.confidence >= MIN_OVERRIDE_CONFIDENCE):
        return Drop(
            candidate, "confirmed", explanation=f"{memory.ref} is the person's own, and this was said in passing"
        )
    return None


def reinforce(candidate: Candidate, memory: Memory, said_at: datetime, explanation: str) -> Reinforce:
    """The decision that the memory says it already."""
    count = reference_count_after(memory.reference_count)
    return Reinforce(
        memory.id,
        candidate,
        explanation=explanation,
        reference_count=count,
        importance=max(candidate.importance, importance_after_reinforcement(memory.importance, count)),
        confidence=max(memory.confidence, candidate.confidence),
        refresh=said_at > memory.valid_from,
    )


def has_same_value(candidate: Candidate, memory: Memory) -> bool:
    """Whether both say the same of their thing."""
    left, right = normalize_words(candidate.value or ""), normalize_words(memory.value or "")
    return left == right or ("yes" in (left, right) and not {left, right} & _NEGATIVE_VALUES)


def may_share_key(left: Candidate, right: Candidate | Memory) -> bool:
    """Whether both may be about the same thing; without a key anything may be."""
    return left.key is None or right.key is None or left.key == right.key


def with_derived_key(memory: Memory) -> Memory:
    """The memory with the key its text gives, where it has none (an edit by the person clears it)."""
    known = None if memory.key is not None else key_of(memory.text)
    return memory if known is None else replace(memory, key=known[0], value=known[1])


def _is_confirmed(memory: Memory) -> bool:
    """Whether the person stands by it: they wrote, confirmed or pinned it."""
    return memory.pinned or memory.source is Source.USER or memory.confidence >= 1.0
