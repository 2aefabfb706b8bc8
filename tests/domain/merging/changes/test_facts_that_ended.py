"""The grammar of a clause tells what has ended, where its author or what is theirs is the subject."""

from __future__ import annotations

import pytest

from keepsake.domain.merging.changes.endings.facts_that_ended import has_ending_verb, read_ended_by_verb


@pytest.mark.parametrize(
    "words, expected",
    [
        ("I got rid of puregym", ["puregym"]),
        ("I hung up my gloves sunday", ["gloves"]),
        ("doc moved me off the sertraline onto another one", ["sertraline"]),
        ("keto lasted 5 weeks", ["keto"]),
        ("Brace came off today", ["brace"]),
        ("my sister sold her car", []),
        ("I would sell the car", []),
        ("I have not sold the car", []),
    ],
)
def test_read_ended_by_verb__names_what_has_ended(words: str, expected: list[str]) -> None:
    assert list(read_ended_by_verb(words)) == expected


def test_has_ending_verb__is_true_where_a_verb_ends_something() -> None:
    assert has_ending_verb("hung up my gloves")
    assert not has_ending_verb("a lovely morning")
