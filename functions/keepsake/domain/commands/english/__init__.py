"""The chat commands in English: the patterns of each kind, tried one after the other."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command
from keepsake.domain.commands.english.forget import match_forget, match_sentence, opens_with_do_not_remember
from keepsake.domain.commands.english.recall import match_recall
from keepsake.domain.commands.english.remember import match_remember
from keepsake.domain.commands.english.words import is_statement
from keepsake.domain.english.load_word_lists import load_lines

__all__ = ["has_keyword", "is_statement", "match_command", "match_sentence", "opens_with_do_not_remember"]

_KEYWORDS = "|".join(load_lines("keywords", __package__))
_IN_LOWER_CASE, _IN_ANY_CASE = re.compile(_KEYWORDS), re.compile(_KEYWORDS, re.IGNORECASE)


def has_keyword(text: str) -> bool:
    """Whether a message may be a command: without any of the keywords it is none."""
    if text.isascii():  # a quarter of what ignoring case takes, and every message is asked
        return _IN_LOWER_CASE.search(text.lower()) is not None
    return _IN_ANY_CASE.search(text) is not None


def match_command(core: str, *, is_polite: bool, rest: str = "") -> Command | None:
    """The command of a sentence without politeness; ``rest`` is the text of the message after it."""
    return match_forget(core, is_polite=is_polite) or match_recall(core) or match_remember(core, rest)
