"""The singular of nouns, as keys of memories hold it."""

from __future__ import annotations

import pytest

from keepsake.domain.english.inflection import singular
from keepsake.domain.english.load_word_lists import load_lines, load_pairs
from keepsake.domain.text import word_set

SINGULARS = {
    "shoes": "shoe", "wolves": "wolf", "wives": "wife", "knives": "knife", "leaves": "leaf", "loaves": "loaf",
    "shelves": "shelf", "scarves": "scarf", "roofs": "roof", "olives": "olive", "gloves": "glove", "lives": "life",
    "buses": "bus", "gases": "gas", "glasses": "glass", "dresses": "dress", "lenses": "lens", "boxes": "box",
    "dishes": "dish", "watches": "watch", "beaches": "beach", "headaches": "headache", "quizzes": "quiz",
    "taxes": "tax", "axes": "axe", "houses": "house", "horses": "horse", "noodles": "noodle", "sauces": "sauce",
    "mice": "mouse", "geese": "goose", "teeth": "tooth", "feet": "foot", "men": "man", "women": "woman",
    "children": "child", "grandchildren": "grandchild", "people": "person", "lice": "louse",
    "analyses": "analysis", "criteria": "criterion", "cacti": "cactus", "phenomena": "phenomenon",
    "hobbies": "hobby", "galleries": "gallery", "puppies": "puppy", "babies": "baby", "twenties": "twenty",
    "movies": "movie", "cookies": "cookie", "pies": "pie", "ties": "tie",
    "potatoes": "potato", "tacos": "taco", "videos": "video", "pianos": "piano", "toes": "toe", "canoes": "canoe",
    "labradoodles": "labradoodle", "podcasts": "podcast", "quesadillas": "quesadilla", "kids": "kid", "dogs": "dog",
    "1970s": "1970", "80s": "80",
}  # fmt: skip
UNCHANGED = sorted(
    word_set("""
        shoe wolf wife bus gas glass dress lens iris bass grass boss chess tennis canvas atlas bias chaos cosmos virus
        status bonus campus cactus octopus hummus couscous asparagus oasis basis crisis thesis diabetes news series
        species sheep fish moose goose mouse physics mathematics politics economics gymnastics ethics scissors pajamas
        clothes blues media ramen sushi pasta spaghetti anime data opera yes this always siemens paris
        james thomas lucas chris dallas texas kansas vegas athens brussels mercedes starbucks jonas
        andreas hans 5 m2 it is café 李雷
    """)
)


@pytest.mark.parametrize("plural, expected", SINGULARS.items())
def test_singular__of_plurals(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@pytest.mark.parametrize("word", [*SINGULARS.values(), *UNCHANGED])
def test_singular__leaves_what_is_no_plural(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize("name", ["not_plural", "nouns_in_ing", "unchanged_verbs", "irregular_plurals"])
def test_word_lists__are_in_lower_case_and_say_nothing_twice(name: str) -> None:
    entries = load_lines(name)
    assert entries
    assert list(entries) == [entry.lower() for entry in dict.fromkeys(entries)]


def test_irregular_plurals__give_a_singular() -> None:
    assert all(singular(one) == one for one in load_pairs("irregular_plurals").values())
