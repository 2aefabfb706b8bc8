"""Every rule for to-dos finds its examples, and nothing of its effect follows from its counterexamples."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.todos.read_todos import RULES, TodoRule, read_todos

EXAMPLES = [(rule, message) for rule in RULES for message in rule.examples]
COUNTEREXAMPLES = [(rule, message) for rule in RULES for message in rule.counterexamples]


def found(rule: TodoRule, message: str) -> list[tuple[str, str]]:
    """What a message says with the effect of the rule, with its kind where it opens a to-do."""
    statements = [one for one in read_todos(message) if one.effect == rule.effect]
    return [(one.kind if one.effect == "open" else "", one.text) for one in statements]


@pytest.mark.parametrize("rule, message", EXAMPLES, ids=[message for _, message in EXAMPLES])
def test_example__is_found(rule: TodoRule, message: str) -> None:
    kinds = [kind for kind, _ in found(rule, message)]
    assert (rule.kind if rule.effect == "open" else "") in kinds


@pytest.mark.parametrize("rule, message", COUNTEREXAMPLES, ids=[message for _, message in COUNTEREXAMPLES])
def test_counterexample__is_not_found(rule: TodoRule, message: str) -> None:
    assert not found(rule, message)
