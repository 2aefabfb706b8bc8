"""Phrases of a list in a text."""

from __future__ import annotations

import pytest

from keepsake.domain.context.phrase_lookup import PhraseLookup, singular_words

LOOKUP = PhraseLookup(
    {
        "ice": [(("ice", "cream"), ("food",)), (("ice",), ("weather",))],
        "knee": [(("knee",), ("pain",))],
        "needle": [(("needle",), ("crafts", "medicine"))],
    }
)


@pytest.mark.parametrize(
    "text, words",
    [
        ("Both KNEES hurt", ["both", "knee", "hurt"]),
        ("her sister's allergies", ["her", "sister", "allergy"]),
        ("wasps, bushes & glass", ["wasp", "bush", "&", "glass"]),
        ("a dress is no class", ["a", "dress", "is", "no", "class"]),
    ],
)
def test_singular_words__small_letters_and_singular(text: str, words: list[str]) -> None:
    assert singular_words(text) == words


def test_strengths__the_longest_phrase_counts() -> None:
    assert LOOKUP.strengths("ice cream") == {"food": 1.0}
    assert LOOKUP.strengths("black ice") == {"weather": 1.0}


def test_strengths__a_phrase_of_several_sections_says_less_of_each() -> None:
    assert LOOKUP.strengths("a needle") == pytest.approx({"crafts": 2**-0.5, "medicine": 2**-0.5})


def test_strengths__a_further_word_adds_half() -> None:
    assert LOOKUP.strengths("one knee, other knee") == {"pain": 1.5}
