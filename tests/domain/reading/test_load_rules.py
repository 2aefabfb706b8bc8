"""The tables of rules are read from TOML files, and what is wrong in them is refused with the file and the rule."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading import statements
from keepsake.domain.reading.statements.rule import Rule
from keepsake.domain.reading.statements.rules import (
    CHECKS,
    RuleError,
    load_rules,
    read_rules,
)

LIKES = """
[[rule]]
pattern = 'I like {what}'
key = "likes|{object}"
subtype = "preference"
finds = ["I like tea", "I like rain"]
ignores = ["He likes tea", "I like it"]
"""
WHAT = """
[lists]
what = '<object>'
"""


def rules_in(text: str) -> tuple[Rule, ...]:
    """The rules of a table "tastes" with this text."""
    return read_rules("tastes", tomllib.loads(text))


def test_read_rules__inserts_lists_and_names_the_check() -> None:
    (rule,) = rules_in(f'{WHAT}{LIKES}type = "goal"\nchecks = ["is_possible_name"]')
    assert rule.pattern == re.compile("^(?:I like (?:(?P<object>.{2,250}?)))$", re.IGNORECASE)
    assert (rule.name, rule.subtype, rule.type) == ("tastes 1 (likes|{object})", Subtype.PREFERENCE, MemoryType.GOAL)
    assert rule.checks == (CHECKS["is_possible_name"],)


def test_read_rules__a_list_contains_others_and_shared_ones() -> None:
    text = WHAT.replace("what", "which") + "what = 'my {pets} {which}'" + LIKES
    (rule,) = rules_in(text)
    assert rule.pattern.match("I like my kitten very much")


LONG = "very " * 50


@pytest.mark.parametrize(
    "text, message",
    [
        (LIKES, r"1 \(likes\|\{object\}\): the list what does not exist"),
        (WHAT + LIKES + 'check = "is_habit"', "1 .* unknown fields .*'check'"),
        (WHAT + LIKES + 'checks = ["is_nice"]', "1 .* unknown or missing name 'is_nice'"),
        (WHAT + LIKES + 'importance = "2"', "1 .* wrong type .*'importance'"),
        (WHAT + LIKES + "importance = true", "1 .* wrong type .*'importance'"),
        (WHAT + LIKES + 'value = "{kind}"', "1 .* parts that the pattern does not have .*'kind'"),
        (WHAT + LIKES + 'type = "opinion"', "1 .* 'opinion' is not a valid MemoryType"),
        (WHAT + LIKES.replace("preference", "taste"), "1 .* 'taste' is not a valid Subtype"),
        (WHAT + LIKES.replace("key", "text"), "1 .without a key.: missing fields .*'key'"),
        (WHAT + LIKES.replace("ignores", "notes"), "1 .* unknown fields .*'notes'"),
        (WHAT + LIKES.replace(', "I like rain"', ""), "1 .* fewer than 2 examples in .*'finds'"),
        (WHAT + LIKES.replace('"I like it"', '"He likes tea"'), "1 .* fewer than 2 examples in .*'ignores'"),
        (WHAT + LIKES.replace("{what}", f"{LONG}<object>"), "1 .* longer than 200 characters"),
        (WHAT + LIKES.replace("{what}", "({what}"), r"1 .* \) is missing at ''"),
        (WHAT + LIKES.replace("{what}", "{what})"), r"1 .* never opened at '\)'"),
        (WHAT + LIKES.replace("{what}", "{what}\\b"), "1 .* no word, list or slot"),
        (WHAT + LIKES.replace("{what}", "<object: tea"), "1 .* > is missing"),
        (WHAT + LIKES.replace("{what}", "{What}"), "1 .* no word, list or slot at '{What}'"),
        (WHAT + LIKES + LIKES, "2 .* another rule has the same pattern"),
        (WHAT.replace("<object>", "{what}") + LIKES, "1 .* the list what contains itself"),
        ("[lists]\npets = 'dog[s]'", "these lists exist already .*'pets'"),
        ("[[rules]]", "unknown names .*'rules'"),
    ],
)
def test_read_rules__a_fault_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=f"^tastes.*{message}"):
        rules_in(text)


def test_checks__each_is_used_by_a_rule() -> None:
    assert {check for language in ("en", "de") for rule in load_rules(language) for check in rule.checks} == set(
        CHECKS.values()
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_lists__each_is_named_by_a_pattern(language: str) -> None:
    assert _unused_lists(read_toml(f"languages/{language}/statements.toml", statements.__name__)) == set()


def _unused_lists(table: dict[str, Any]) -> set[str]:
    lists = table.get("lists", {})
    return {name for name in lists if f"{{{name}}}" not in str([lists, [rule["pattern"] for rule in table["rule"]]])}
