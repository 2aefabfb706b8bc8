"""Puts a German subordinate clause into the order of a main clause."""

from __future__ import annotations

from keepsake.domain.reading.commands.command_words import OTHER_WORDS


def with_verb_second(clause: str) -> str:
    """A clause with its verb last as a sentence: of "mein Hund Angst vor Gewitter hat" "mein Hund hat Angst …"."""
    *said, verb = clause.split()
    at = _subject_length(said)
    return " ".join((*said[:at], verb, *said[at:]))


def _subject_length(said: list[str]) -> int:
    """The number of words of the subject that a clause begins with: "ich", "mein Hund", "meine Tochter Lena"."""
    if not said or said[0].lower() not in OTHER_WORDS["article"]:
        return 1
    name, following = (*said[2:4], "", "")[:2]
    return 3 if name[:1].isupper() and following not in OTHER_WORDS["preposition"] else 2
