"""Every rule is run on its own examples: messages in which it finds something, and messages in which it must not."""

from __future__ import annotations

import pytest

from keepsake.domain.reading import read
from keepsake.domain.reading.message import ENGLISH
from keepsake.domain.reading.statements.other_languages import languages
from keepsake.domain.reading.statements.rules import load_rules
from tests.support.memories import NOW

LANGUAGES = (ENGLISH, *(language.code for language in languages()))
RULES = [rule for language in LANGUAGES for rule in load_rules(language)]
FINDS = [(rule.name, message) for rule in RULES for message in rule.finds]
IGNORES = [(rule.name, message) for rule in RULES for message in rule.ignores]


def rules_that_fire(message: str) -> set[str]:
    """The names of the rules that find something in a message."""
    return {candidate.why for candidate in read(message, said_at=NOW).candidates}


@pytest.mark.parametrize("name, message", FINDS)
def test_rule__finds_its_example(name: str, message: str) -> None:
    assert name in rules_that_fire(message)


@pytest.mark.parametrize("name, message", IGNORES)
def test_rule__ignores_its_counterexample(name: str, message: str) -> None:
    assert name not in rules_that_fire(message)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_of_other_languages__have_a_text(language: str) -> None:
    """The text is written out: only English clauses are put into the third person."""
    assert [rule.name for rule in load_rules(language) if not rule.text] == []
