"""The name of a mechanism becomes a sentence that a person understands."""

from __future__ import annotations

import pytest

from keepsake.domain.explanation.mechanism import describe_mechanism
from keepsake.domain.extraction.rules.extract import extract
from keepsake.domain.extraction.rules.matching.load_rules import load_rules


def test_nothing_stored__says_nothing() -> None:
    assert describe_mechanism(None) is describe_mechanism("") is None


def test_model__is_named_with_its_prompt() -> None:
    said = describe_mechanism("model openai/gpt, mini: 4, prompt extraction-2")
    assert said == "the language model openai/gpt, mini: 4 read it in the message (prompt extraction-2)"


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rule__is_named_by_its_table(language: str) -> None:
    for rule in load_rules(language):
        said = describe_mechanism(rule.name)
        assert said is not None
        assert said.startswith("a fixed rule for sentences about ")
        assert said.endswith(f"(rule {rule.name.partition(' (')[0]})")


def test_what_the_rules_find__names_a_mechanism_that_has_words() -> None:
    found = extract("I live in Leeds. the twins start nursery soon. I collect old maps and I own a tandem")
    assert found
    for candidate in found:
        assert candidate.why
        assert describe_mechanism(candidate.why) != candidate.why
