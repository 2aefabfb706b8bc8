"""The name of a mechanism becomes a sentence that a person understands."""

from __future__ import annotations

import pytest

from keepsake.domain.explanation.mechanism import describe_mechanism, describe_recognition
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.rules import load_rules


def test_nothing_stored__says_nothing() -> None:
    assert describe_mechanism(None) is describe_mechanism("") is None


def test_model__is_named() -> None:
    said = describe_mechanism("model openai/gpt, mini: 4, prompt extraction-2")
    assert said is not None
    assert said.startswith("The language model “openai/gpt, mini: 4” read your message")
    assert describe_recognition("model gpt, prompt extraction-2") == "The language model “gpt” decided this."


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rule__is_named_by_its_subject(language: str) -> None:
    for rule in load_rules(language):
        said = describe_mechanism(rule.name)
        assert said is not None
        assert said.startswith("A built-in rule, not a language model, recognized your sentence as one about ")
        if rule.name.partition("(")[2].startswith(("allergy", "health")):
            assert said.endswith(("your allergies.", "your health."))


def test_what_the_rules_find__names_a_mechanism_that_has_words() -> None:
    found = extract("I live in Leeds. the twins start nursery soon. I collect old maps and I own a tandem")
    assert found
    assert all(describe_mechanism(candidate.why) for candidate in found)
