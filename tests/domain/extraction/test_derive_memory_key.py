"""What a model and what the rules call the same thing has one key, so that either can replace the other."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.derive_memory_key import Slot, derive_key, subject_slug
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.statements.extract import extract

FACT, GOAL, TIE = MemoryType.FACT, MemoryType.GOAL, MemoryType.RELATIONSHIP


@pytest.mark.parametrize(
    "said, text, slot",
    [
        ("My favorite food is ramen.", "Favorite food is ramen", Slot(FACT, "self", "favorite_food", "ramen")),
        ("I live in Austin, Texas.", "Lives in Austin, Texas", Slot(FACT, "self", "home", "Austin, Texas")),
        ("I like pizza.", "Likes pizza", Slot(FACT, "self", "likes", "pizza", is_many=True)),
        ("I don't like pizza any more.", "Does not like pizza any more", Slot(FACT, "self", "dislikes", "pizza")),
        ("I am allergic to peanuts.", "Allergic to peanuts", Slot(FACT, "self", "allergy", "peanuts", is_many=True)),
        (
            "I am allergic to ibuprofen.",
            "Is allergic to ibuprofen, found out the hard way years ago",
            Slot(FACT, "self", "allergy", "ibuprofen", is_many=True),
        ),
        ("I have a dog named Rex.", "Has a dog named Rex", Slot(TIE, "self", "pet", "Rex", is_many=True)),
        ("My daughter is 5 years old.", "Daughter is 5 years old", Slot(TIE, "daughter", "age", "5")),
        ("I work as a nurse.", "Works as a nurse", Slot(FACT, "self", "job", "nurse")),
        ("I no longer work at Acme.", "No longer works at Acme", Slot(FACT, "self", "employer", "Acme", retracts=True)),
    ],
)
def test_same_thing__has_the_rules_key(said: str, text: str, slot: Slot) -> None:
    (by_rules,) = extract(said)
    assert derive_key(slot, text) == (by_rules.key, by_rules.value)


@pytest.mark.parametrize(
    "text, slot, key, value",
    [
        ("Wohnt in Graz", Slot(FACT, "self", "home", "Graz"), "fact|person|self|home", "graz"),
        ("Wohnt in Graz", Slot(FACT, "me", "city", "Graz", is_many=True), "fact|person|self|home", "graz"),
        ("Mag Pizza", Slot(FACT, "self", "likes", "Pizza"), "fact|person|self|likes|pizza", "like"),
        ("Mag keine Pizza", Slot(FACT, "self", "dislikes", "Pizza"), "fact|person|self|likes|pizza", "dislike"),
        ("Hat einen Hund, Rex", Slot(TIE, "self", "pet", "Rex"), "relationship|person|self|pet|rex", "yes"),
        ("Tochter ist 5", Slot(FACT, "Tochter", "age", "5"), "relationship|person|tochter|age", "5"),
        ("Lebt glutenfrei", Slot(FACT, "self", "household", "glutenfrei"),
         "fact|person|self|household|glutenfrei", "yes"),
        ("Mutter heißt Eva", Slot(FACT, "mum", "name", "Eva"), "relationship|person|mother|name", "eva"),
        ("Sammelt Münzen", Slot(FACT, "i", "collects", "Münzen", is_many=True), "fact|person|self|collects|münzen",
         "yes"),
    ],
)  # fmt: skip
def test_other_languages__have_the_same_vocabulary(text: str, slot: Slot, key: str, value: str) -> None:
    assert derive_key(slot, text) == (key, value)


def test_without_an_attribute__there_is_no_key() -> None:
    assert derive_key(Slot(FACT, "self", "…", "x"), "Wohnt in Graz") == (None, None)


@pytest.mark.parametrize("about", ["", "self", "I", "the user", "User", "Me"])
def test_self__by_whatever_name(about: str) -> None:
    assert subject_slug(about) == "self"


@pytest.mark.parametrize("part", ["x" * 5000, "|" * 50, "a|b|c", "\u0000"])
def test_wild_slots__stay_within_a_key(part: str) -> None:
    """No part of a key can forge another."""
    key, _ = derive_key(Slot(GOAL, part, part, part, is_many=True), "Sammelt Münzen")
    assert key is None or (len(key) <= 300 and key.count("|") <= 4)


@pytest.mark.parametrize(
    "said, text, slot",
    [
        ("My daughter Emma is 5.", "Has a five-year-old daughter, Emma", Slot(TIE, "daughter Emma", "age", "5")),
        ("My daughter Emma is 5.", "Emma is five now", Slot(TIE, "Emma (daughter)", "age", "five years old")),
        ("My brother Tom lives in Oslo.", "Tom has his home in Oslo", Slot(TIE, "brother named Tom", "home", "Oslo")),
        ("My sister is called Wren.", "There is a sister, Wren", Slot(TIE, "sister", "name", "Wren")),
        ("My wife Maria is a nurse.", "Is married to the nurse Maria", Slot(TIE, "wife Maria", "occupation", "nurse")),
        ("I work at Acme.", "Is an Acme employee", Slot(FACT, "self", "works_at", "Acme")),
    ],
)
def test_sentences_the_rules_do_not_know__have_the_rules_key_all_the_same(said: str, text: str, slot: Slot) -> None:
    (by_rules,) = extract(said)
    assert derive_key(slot, text) == (by_rules.key, by_rules.value)
