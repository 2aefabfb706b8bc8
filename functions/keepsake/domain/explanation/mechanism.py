"""Says in plain words which mechanism found a statement, or a change, from the name that is stored with it."""

from __future__ import annotations

import re

from keepsake.domain.explanation.sentences import has_sentence, sentence

_MODEL = re.compile(r"model (?P<model>.+), prompt \S+\Z")
_RULE = re.compile(r"(?P<table>\w+) \d+ \((?P<key>\w*)(?:\W.*)?\)\Z")


def describe_mechanism(why: str | None) -> str | None:
    """Which mechanism found a statement; None where none is stored, or none that has words."""
    if rule := _RULE.match(why or ""):
        subject = rule["key"] if has_sentence("subjects", rule["key"]) else rule["table"]
        return sentence("kept", "rule", subject=sentence("subjects", subject))
    return _describe("kept", why)


def describe_recognition(why: str | None) -> str | None:
    """Which mechanism decided that something has changed; None where none is stored. All but a model are rules."""
    return _describe("recognized", why) or (sentence("recognized", "rule") if why else None)


def _describe(section: str, why: str | None) -> str | None:
    if model := _MODEL.match(why or ""):
        return sentence(section, "model", model=model["model"])
    return sentence(section, why) if why and has_sentence(section, why) else None
