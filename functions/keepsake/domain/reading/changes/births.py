"""Reads that a child was born, and whose."""

from __future__ import annotations

import re
from typing import NamedTuple

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("births", __package__)
_MOTHER = rf"(?P<mother>(?!{_WORDS['nobody']}\b)[^\W\d][\w-]*(?: [^\W\d][\w-]*){{0,2}}?)"
_BIRTH = re.compile(
    rf"(?P<couple>{_WORDS['of_couple']})|(?P<sibling>{_WORDS['of_sibling']})"
    rf"|(?P<another>(?:my |our )?{_MOTHER} {_WORDS['gave_birth']})",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(rf"\b{_WORDS['not_now']}\b", re.IGNORECASE)


class Birth(NamedTuple):
    """Whose child was born, of the ``couple``, a ``sibling`` or ``another``; of another, the words for the mother."""

    of: str
    mother: str = ""


def read_birth(clause: str, text: str) -> Birth | None:
    """The birth that a clause of a message tells, if any."""
    match = None if _NOT_NOW.search(text) else _BIRTH.match(clause)
    return None if match is None else Birth(match.lastgroup or "", match["mother"] or "")
