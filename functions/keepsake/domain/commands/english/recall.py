"""The English patterns of the question what is remembered."""

from __future__ import annotations

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SUBJECT, WORD, captured_subject, regex
from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("recall", __package__, memory=MEMORY, subject=SUBJECT, word=WORD)
_RECALL_ALL = regex(_WORDS["recall_all"])
_RECALL_SUBJECT = regex(_WORDS["recall_subject"])


def match_recall(core: str) -> Command | None:
    """The command to recall everything, or what is known of a subject."""
    if _RECALL_ALL.fullmatch(core):
        return Command(Kind.RECALL_ALL)
    subject = captured_subject(_RECALL_SUBJECT.fullmatch(core))
    return Command(Kind.RECALL_SUBJECT, subject=subject) if subject else None
