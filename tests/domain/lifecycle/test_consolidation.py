"""What the curator folds, and what it leaves alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from keepsake.domain.lifecycle.consolidation import MIN_FOLD_AGE, MIN_FOLD_SIZE, find_folds, join_statements
from keepsake.domain.memory import MAX_TEXT_LENGTH, Memory, MemoryType, Source
from tests.support.memories import NOW, memory

FOODS = ("pizza", "ramen", "sushi", "tacos", "curry", "pasta", "falafel")
LONG_AGO = NOW - MIN_FOLD_AGE - timedelta(days=1)


def liked(what: str, number: int = 0, **more: Any) -> Memory:
    """A settled liking."""
    given = {"created_at": LONG_AGO, "valid_from": LONG_AGO + timedelta(minutes=number), "confidence": 0.7} | more
    key = f"fact|person|self|likes|{what}"
    return memory(id=uuid4(), memory_no=number, text=f"Likes {what}", key=key, value="like", **given)


def liking(**more: Any) -> list[Memory]:
    """Seven of them."""
    return [liked(what, number, **more) for number, what in enumerate(FOODS, 1)]


def test_many_statements_about_one_thing__become_one() -> None:
    (fold,) = find_folds(liking(), NOW)
    assert fold.text == "Likes pizza, ramen, sushi, tacos, curry, pasta and falafel"
    assert [member.memory_no for member in fold.members] == [1, 2, 3, 4, 5, 6, 7]
    assert fold.key == "fold|fact|person|self|likes|1"


def test_a_few__are_left_as_they_are() -> None:
    assert find_folds(liking()[: MIN_FOLD_SIZE - 1], NOW) == []


@pytest.mark.parametrize(
    "more",
    [
        {"pinned": True, "importance": 3},
        {"importance": 3},
        {"confidence": 1.0},
        {"source": Source.USER},
        {"source": Source.SEEDED_PROFILE},
        {"created_at": NOW - MIN_FOLD_AGE + timedelta(days=1)},
        {"expires_at": NOW + timedelta(days=1)},
        {"type": MemoryType.GOAL},
        {"type": MemoryType.EMOTION},
    ],
)
def test_pinned_confirmed_critical_passing_or_new__is_never_folded(more: dict[str, Any]) -> None:
    assert find_folds(liking(**more), NOW) == []


def test_single_valued_attributes_and_allergies__are_never_folded() -> None:
    slots = [
        memory(
            id=uuid4(), text=f"Favorite thing {n}", key=f"fact|person|self|favorite_{n}", value="x", created_at=LONG_AGO
        )
        for n in range(9)
    ]
    allergies = [
        memory(id=uuid4(), text=f"Allergic to {what}", key=f"fact|person|self|allergy|{what}", value="yes",
               confidence=0.4, created_at=LONG_AGO)
        for what in FOODS
    ]  # fmt: skip
    assert find_folds([*slots, *allergies], NOW) == []


def test_likes_dislikes_and_personas__are_folded_separately() -> None:
    disliked = [
        memory(id=uuid4(), text=f"Dislikes {what}", key=f"fact|person|self|likes|{what}", value="dislike",
               confidence=0.7, created_at=LONG_AGO)
        for what in ("olives", "liver", "okra")
    ]  # fmt: skip
    assert [len(fold.members) for fold in find_folds([*liking(), *disliked], NOW)] == [7]
    mixed = [liked(what, n, persona_id="coach" if n % 2 else None) for n, what in enumerate(FOODS)]
    assert find_folds(mixed, NOW) == []


def test_memories_of_one_relative__are_folded_together() -> None:
    facts = (
        "Anna lives in Graz",
        "Anna is 30",
        "Anna works at Siemens",
        "Anna likes tea",
        "Anna plays chess",
        "Anna sings",
    )
    known = [
        memory(id=uuid4(), memory_no=n, text=text, type=MemoryType.RELATIONSHIP, key=f"relationship|person|anna|a{n}",
               value="x", confidence=0.7, created_at=LONG_AGO, valid_from=LONG_AGO + timedelta(minutes=n),
               entity_refs=("person:anna",))
        for n, text in enumerate(facts)
    ]  # fmt: skip
    (fold,) = find_folds(known, NOW)
    assert fold.text == "Anna lives in Graz, is 30, works at Siemens, likes tea, plays chess and sings"
    assert fold.entity_refs == ("person:anna",)


def test_more_than_one_memory_holds__are_several_folds() -> None:
    many = [liked(f"a rather long and winding thing to like number {n}", n) for n in range(40)]
    found = find_folds(many, NOW)
    assert len(found) == 3
    assert all(len(fold.text) <= MAX_TEXT_LENGTH for fold in found)
    members = [member.id for fold in found for member in fold.members]
    assert len(members) == len(set(members)) == 36  # the four that are left are read as they are


@pytest.mark.parametrize(
    "texts, said",
    [
        (["Likes tea"], "Likes tea"),
        (["Likes tea", "Likes tea"], "Likes tea and tea"),
        (["Likes tea", "Loves ramen."], "Likes tea; Loves ramen"),
        (["Likes salt and pepper", "Likes tea"], "Likes salt and pepper; Likes tea"),
        (["Likes", "Likes tea"], "Likes; Likes tea"),
    ],
)
def test_join_statements__has_the_common_beginning_once(texts: list[str], said: str) -> None:
    assert join_statements(texts) == said
