"""The tables of rules are read from TOML files, and what is wrong in them is refused with the file and the rule."""

from __future__ import annotations

import re
import tomllib
from string import Formatter
from typing import Any

import pytest

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading import statements
from keepsake.domain.reading.statements.rules import Rule, read_rules

LIKES = """
[[rule]]
forms = ['i like {what}', 'i enjoy <object:short>']
key = "likes|{object}"
subtype = "preference"
finds = ["I like tea", "I like rain"]
ignores = ["He likes tea", "I like it"]
"""
WHAT = """
[lists]
what = ['tea|rain', 'the rain']
"""
DERIVED = {"who", "called", "animal", "is"}
"""What templates may name besides the slots of their forms."""


def rules_in(text: str) -> tuple[Rule, ...]:
    """The rules of a table "tastes" with this text."""
    return read_rules("tastes", tomllib.loads(text))


def test_read_rules__reads_the_lists() -> None:
    (rule,) = rules_in(f'{WHAT}{LIKES}type = "goal"')
    assert (rule.name, rule.subtype, rule.type) == ("tastes 1 (likes|{object})", Subtype.PREFERENCE, MemoryType.GOAL)
    assert rule.lists.keys() == {"what"}


@pytest.mark.parametrize(
    "text, message",
    [
        (LIKES, r"1 \(likes\|\{object\}\): 'what'"),
        (WHAT + LIKES + 'check = "is_habit"', "1 .*check\n *Unexpected"),
        (WHAT + LIKES + 'importance = "high"', "1 .*importance\n *Input should be a valid integer"),
        (WHAT + LIKES + 'type = "opinion"', "1 .* 'opinion' is not a valid MemoryType"),
        (WHAT + LIKES.replace("preference", "taste"), "1 .* 'taste' is not a valid Subtype"),
        (WHAT + LIKES.replace("key", "text"), "1 .without a key.: .*key\n *Field required"),
        (WHAT + LIKES.replace("ignores", "notes"), "1 .*notes\n *Unexpected"),
        (WHAT + LIKES.replace(', "I like rain"', ""), "1 .*finds\n *Tuple should have at least 2"),
        (WHAT + LIKES.replace(', "I like it"', ""), "1 .*ignores\n *Tuple should have at least 2"),
        (WHAT + LIKES.replace("<object:short>", "<object:sort>"), "no lists or classes of words: .'sort'"),
        (WHAT + LIKES.replace("<object:short>", "<object>"), "no lists or classes of words: .'object'"),
        (WHAT + LIKES.replace("<object:short>", "<object:short!not>"), "no lists or classes of words: .'not'"),
        ("[[rules]]", "unknown names .*'rules'"),
    ],
)
def test_read_rules__a_fault_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"(?s)^tastes.*{message}"):
        rules_in(text)


@pytest.mark.parametrize("language", ["en", "de"])
def test_lists__each_is_named_by_a_form(language: str) -> None:
    assert _unused_lists(read_toml(f"languages/{language}/statements.toml", statements.__name__)) == set()


def _unused_lists(table: dict[str, Any]) -> set[str]:
    said = str([table["lists"], [rule["forms"] for rule in table["rule"]]])
    return {name for name in table["lists"] if not re.search(rf"[{{<:!]{name}[}}>!]", said)}


@pytest.mark.parametrize("language", ["en", "de"])
def test_templates__name_slots_of_their_forms(language: str) -> None:
    for rule in read_toml(f"languages/{language}/statements.toml", statements.__name__)["rule"]:
        templates = " ".join(rule.get(name, "") for name in ("key", "value", "text"))
        slots = set(re.findall("<([a-z]+)", str(rule["forms"])))
        assert {part for _, part, _, _ in Formatter().parse(templates) if part} <= slots | DERIVED, rule
