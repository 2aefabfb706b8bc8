"""Puts a German subordinate clause into the order of a main clause."""

from __future__ import annotations

_ARTICLES = frozenset({"der", "die", "das", "mein", "meine", "unser", "unsere"})
_NO_NAMES = frozenset({"vor", "auf", "an", "über", "mit", "von"})


def with_verb_second(clause: str) -> str:
    """A clause with its verb last as a sentence: of "mein Hund Angst vor Gewitter hat" "mein Hund hat Angst …"."""
    *said, verb = clause.split()
    subject = 2 if said and said[0].lower() in _ARTICLES else 1
    name = (*said[subject:], "")[0]
    after = (*said[subject + 1 :], "")[0]
    if subject > 1 and name[:1].isupper() and after not in _NO_NAMES:  # "meine Tochter Lena"
        subject += 1
    return " ".join((*said[:subject], verb, *said[subject:]))
