"""Reads that a child was born, and whose."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("births", __package__)
_OF_COUPLE = re.compile(rf"^{_WORDS['of_couple']}", re.IGNORECASE)
_OF_SIBLING = re.compile(rf"^{_WORDS['of_sibling']}", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    rf"^(?:my |our )?(?P<mother>(?!{_WORDS['nobody']}\b)[^\W\d][\w-]*(?: [^\W\d][\w-]*){{0,2}}?) "
    rf"{_WORDS['gave_birth']}",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(rf"\b{_WORDS['not_now']}\b", re.IGNORECASE)


class Birth(NamedTuple):
    """Whose child was born; for one of another person, the words for the mother."""

    of: Literal["couple", "sibling", "another"]
    mother: str = ""


def read_birth(clause: str, text: str) -> Birth | None:
    """The birth that a clause of a message tells, if any."""
    if _NOT_NOW.search(text):
        return None
    if _OF_COUPLE.search(clause):
        return Birth("couple")
    if _OF_SIBLING.search(clause):
        return Birth("sibling")
    mother = _OF_ANOTHER.search(clause)
    return None if mother is None else Birth("another", mother["mother"])
