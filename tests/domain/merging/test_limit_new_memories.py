"""A message makes six new memories; what it repeats or changes takes no room from what is new."""

from __future__ import annotations

from uuid import uuid4

from keepsake.domain.memory import MAX_PER_TURN, Candidate, MemoryType, Subtype
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Supersede
from keepsake.domain.merging.limit_new_memories import limit_new_memories


def candidate(text: str, importance: int = 1) -> Candidate:
    """A statement of a message."""
    return Candidate(MemoryType.FACT, Subtype.OTHER, text, text, 0.7, importance=importance)


def insert(text: str, importance: int = 1) -> Insert:
    """A decision to store a statement."""
    return Insert(candidate(text, importance), "new")


def test_new_memories__are_the_most_important_in_the_order_said() -> None:
    decisions = [insert("A"), insert("B", 2), insert("C", 2), insert("D", 3), *(insert(text, 2) for text in "EFG")]
    limited = limit_new_memories(decisions, MAX_PER_TURN)
    assert limited[1:] == decisions[1:]
    assert isinstance(limited[0], Drop)
    assert limited[0].reason == "too_many"


def test_what_is_repeated__takes_no_room() -> None:
    again = Reinforce(uuid4(), candidate("Name is Sam", 3), "again", 1, 3, 0.9)
    decisions: list[Decision] = [again, *(insert(text) for text in "ABC")]
    assert limit_new_memories(decisions, MAX_PER_TURN) == decisions


def test_what_takes_the_place_of_another__is_kept_and_counts() -> None:
    changes = [Supersede(uuid4(), candidate(text), "changed") for text in ("E", "F")]
    limited = limit_new_memories([*(insert(text) for text in "ABCDG"), *changes], MAX_PER_TURN)
    assert limited[5:] == changes
    assert sum(isinstance(one, Insert) for one in limited) == MAX_PER_TURN - len(changes)
