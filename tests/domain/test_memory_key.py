"""The parts of a memory key: whom or what a memory is about."""

from __future__ import annotations

import pytest

from keepsake.domain.memory_key import MemoryKey, parse_key


@pytest.mark.parametrize(
    "key, attribute, what",
    [
        ("fact|person|self|home", "home", ""),
        ("fact|person|self|likes|pizza", "likes", "pizza"),
        ("relationship|person|self|pet|rex|age", "pet", "rex|age"),
        ("fold|fact|person|self|likes|7", "likes", "7"),
        ("relationship|person|daughter|emma|age", "", ""),
        ("goal|project|self|goal|project_x", "", ""),
        (None, "", ""),
    ],
)
def test_attribute__is_of_the_author_alone(key: str | None, attribute: str, what: str) -> None:
    parsed = parse_key(key)
    assert (parsed.attribute, parsed.what) == (attribute, what)


@pytest.mark.parametrize(
    "key, relation, name, last",
    [
        ("relationship|person|daughter|emma|age", "daughter", "emma", "age"),
        ("relationship|person|mother|name", "mother", "", "name"),
        ("relationship|person|self|pet|rex", "", "", "rex"),
        ("fold|relationship|person|son|7", "", "", "7"),
        ("fact|person|self|home", "", "", "home"),
        ("", "", "", ""),
    ],
)
def test_relation__is_of_a_relative_alone(key: str, relation: str, name: str, last: str) -> None:
    parsed = parse_key(key)
    assert (parsed.relation, parsed.name, parsed.last) == (relation, name, last)


def test_parse_key__of_a_fold_says_what_was_folded() -> None:
    assert parse_key("fold|fact|person|self|likes|7") == MemoryKey("fold", "person", "self", ("likes", "7"))
    assert parse_key("fold|fact|person|self|likes|7").is_fold
