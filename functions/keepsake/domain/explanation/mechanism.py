"""Says in plain words which mechanism found a statement, from the name that is stored with it."""

from __future__ import annotations

import re

_MODEL = re.compile(r"model (?P<model>.+), prompt (?P<prompt>\S+)\Z")
_RULE = re.compile(r"(?P<name>(?P<table>\w+) \d+) \(.*\)\Z")
_READERS = {
    "clause_reader": "the grammar of the sentence showed that it says something lasting about its author",
    "statement_classifier": "the words of the sentence are those of lasting statements, as a classifier has learnt",
    "correction": "the message corrects what was said just before",
    "as_said": "it was to be remembered, and stands as it was said",
    "change_rule": "a fixed rule recognizes sentences that tell a change",
    "ending": "the message says that something is over",
    "life_change": "a classifier recognizes sentences that tell a change in one's life",
    "denial": "the message denies what the assistant says of its author",
    "taken_back": "the message takes back what was said just before",
}
"""The readers of the rules, by the name that they store."""


def model_of(why: str | None) -> str | None:
    """The language model that found a statement; None where none did, or nothing is stored."""
    found = _MODEL.match(why or "")
    return found["model"] if found else None


def describe_mechanism(why: str | None) -> str | None:
    """Which mechanism found a statement; None where none is stored."""
    if not why:
        return None
    if model := _MODEL.match(why):
        return f"the language model {model['model']} read it in the message (prompt {model['prompt']})"
    if rule := _RULE.match(why):
        return f"a fixed rule for sentences about {rule['table'].replace('_', ' ')} recognizes it (rule {rule['name']})"
    return _READERS.get(why, why)
