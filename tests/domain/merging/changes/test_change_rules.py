"""Every rule for changes ends or doubts the memories of its examples, and leaves those of its counterexamples."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from keepsake.domain.extraction.rules.extract import extract
from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.change_rules.change_rules import (
    RULES,
    ChangeRule,
    ChangeRuleError,
    read_change_rules,
)
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.find_changes import FoundChanges, find_changes
from keepsake.domain.merging.changes.read_change_statements import read_changes
from tests.support.memories import NOW, stated_memory

_EXAMPLES = [(rule, memory, message) for rule in RULES for memory, message in rule.examples]
_COUNTEREXAMPLES = [(rule, memory, message) for rule in RULES for memory, message in rule.counterexamples]


def _found(rule: ChangeRule, memory: Memory, message: str) -> FoundChanges:
    """What one rule alone makes of a message."""
    said_at = NOW + timedelta(minutes=5)
    index = RULES.index(rule)
    statements = [
        ChangeStatement(one.clause, tuple(match for match in one.matches if match.rule_index == index))
        for one in read_changes(message, said_at=said_at)
    ]
    return find_changes(statements, [memory], said_at=said_at)


@pytest.mark.parametrize("rule, text, message", _EXAMPLES, ids=[f"{m} / {s}" for _, m, s in _EXAMPLES])
def test_change_rule__example(rule: ChangeRule, text: str, message: str) -> None:
    memory = stated_memory(text)
    found = _found(rule, memory, message)
    assert memory.id in (found.ended if rule.effect == "end" else found.doubted)


@pytest.mark.parametrize("rule, text, message", _COUNTEREXAMPLES, ids=[f"{m} / {s}" for _, m, s in _COUNTEREXAMPLES])
def test_change_rule__counterexample(rule: ChangeRule, text: str, message: str) -> None:
    found = _found(rule, stated_memory(text), message)
    assert not found.ended
    assert not found.doubted


def test_change_rules__have_examples() -> None:
    assert [rule.pattern.pattern for rule in RULES if len(rule.examples) < 2 or len(rule.counterexamples) < 2] == []


_ROW = {"pattern": "x", "effect": "end", "attributes": ["home"], "examples": [], "counterexamples": []}


@pytest.mark.parametrize(
    "rows, problem",
    [
        ([_ROW | {"effect": "explode"}], "effect"),
        ([_ROW | {"kinds": ["moon"]}], "kinds"),
        ([_ROW | {"attributes": []}], "every memory"),
        ([_ROW | {"pattern": "("}], "rule 1"),
        ([_ROW | {"pattern": "{unknown_fragment}"}], "unknown"),
        ([_ROW | {"color": "red"}], "unknown fields"),
        ([_ROW | {"pattern": "x" * 201}], "rule 1: longer than 200 characters"),
        ([_ROW, _ROW], "same pattern"),
    ],
)
def test_read_change_rules__refuses(rows: list[dict[str, object]], problem: str) -> None:
    with pytest.raises(ChangeRuleError, match=re.escape(problem)):
        read_change_rules({"rule": rows})


def test_read_change_rules__refuses_a_long_fragment() -> None:
    with pytest.raises(ValueError, match="fragment noise: longer than 200 characters"):
        read_change_rules({"rule": [], "fragments": {"noise": "x" * 201}})


@pytest.mark.parametrize("message", ["I stopped running in the mornings", "I\u2019ve stopped running"])
def test_change__that_a_statement_tells_already_is_not_stated_again(message: str) -> None:
    said_at = NOW + timedelta(minutes=5)
    run = stated_memory("Goes for a run every morning before work")
    stated = extract(message)
    found = find_changes(read_changes(message, said_at=said_at), [run], said_at=said_at, stated=stated)
    assert [one.text for one in stated] == ["Stopped running"]
    assert (list(found.ended), found.candidates) == ([run.id], [])
