"""The tables of rules are read from TOML files, and what is wrong in them is refused with the file and the rule."""

from __future__ import annotations

import re
import tomllib

import pytest

from keepsake.domain.extraction.rules.load_rules import CHECKS, TABLES, RuleError, load_rules, read_rules
from keepsake.domain.extraction.rules.pattern_file import join_lines, read_toml
from keepsake.domain.extraction.rules.rule import Rule
from keepsake.domain.memory import MemoryType, Subtype

LIKES = """
[[rule]]
pattern = 'I like {what}'
key = "likes|{object}"
subtype = "preference"
"""
WHAT = """
[fragments]
what = '(?P<object>.{2,80})'
"""


def rules_in(text: str) -> tuple[Rule, ...]:
    """The rules of a table "tastes" with this text."""
    return read_rules({"tastes": tomllib.loads(text)})


def test_read_rules__inserts_fragments_and_names_the_check() -> None:
    (rule,) = rules_in(f'{WHAT}{LIKES}type = "goal"\ncheck = "is_specific_object"')
    assert rule.pattern == re.compile("^(?:I like (?P<object>.{2,80}))$", re.IGNORECASE)
    assert (rule.subtype, rule.type, rule.importance) == (Subtype.PREFERENCE, MemoryType.GOAL, 1)
    assert rule.check is CHECKS["is_specific_object"]


def test_read_rules__a_fragment_contains_earlier_and_shared_ones() -> None:
    text = WHAT + "which = 'my {pets} {what}'" + LIKES.replace("{what}", "{which}")
    (rule,) = rules_in(text)
    assert rule.pattern.match("I like my kitten very much")


def test_join_lines__removes_line_breaks_and_leading_blanks() -> None:
    assert join_lines("  I (?:like|\n    love\n  ) it\n") == "I (?:like|love) it"


@pytest.mark.parametrize(
    "text, message",
    [
        (LIKES, r"rule 1 \(likes\|\{object\}\): unknown name 'what'"),
        (WHAT + LIKES + 'checks = "is_habit"', "rule 1 .* unknown fields .*'checks'"),
        (WHAT + LIKES + 'check = "is_nice"', "rule 1 .* unknown name 'is_nice'"),
        (WHAT + LIKES + 'importance = "2"', "rule 1 .* wrong type .*'importance'"),
        (WHAT + LIKES + "importance = true", "rule 1 .* wrong type .*'importance'"),
        (WHAT + LIKES + 'value = "{kind}"', "rule 1 .* parts that the pattern does not have .*'kind'"),
        (WHAT + LIKES + 'type = "opinion"', "rule 1 .* 'opinion' is not a valid MemoryType"),
        (WHAT + LIKES.replace("preference", "taste"), "rule 1 .* 'taste' is not a valid Subtype"),
        (WHAT + LIKES.replace("key", "text"), "rule 1 .without a key.: missing fields .*'key'"),
        (WHAT + LIKES.replace("{what}", "({what}"), "rule 1 .* unterminated subpattern"),
        (WHAT + LIKES + LIKES, "rule 2 .* another rule has the same pattern"),
        (WHAT + LIKES.replace("'I like {what}'", "'''\nI \nlike'''"), "rule 1 .* a line ends in a blank"),
        ("[fragments]\nwhat = '{other}'", "unknown fragment 'other'"),
        ("[fragments]\npets = 'dogs?'", "the fragment pets exists already"),
        ("[[rules]]", "unknown names .*'rules'"),
    ],
)
def test_read_rules__a_fault_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=f"^tables/tastes.toml.*{message}"):
        rules_in(text)


def test_load_rules__reads_every_table_in_order() -> None:
    sizes = [len(read_toml(f"tables/{name}.toml")["rule"]) for name in TABLES]
    assert len(load_rules()) == sum(sizes)
    assert load_rules()[0].key == read_toml("tables/changes.toml")["rule"][0]["key"]


def test_checks__each_is_used_by_a_rule() -> None:
    assert {rule.check for rule in load_rules()} - {None} == set(CHECKS.values())
