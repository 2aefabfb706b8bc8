"""The chat commands in English: the patterns of each kind, tried one after the other."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command
from keepsake.domain.commands.english.forget import match_forget, match_sentence, opens_with_do_not_remember
from keepsake.domain.commands.english.recall import match_recall
from keepsake.domain.commands.english.remember import match_remember
from keepsake.domain.commands.english.words import is_statement
from keepsake.domain.english.load_word_lists import load_lines

__all__ = ["KEYWORDS", "is_statement", "match_command", "match_sentence", "opens_with_do_not_remember"]

KEYWORDS = re.compile("|".join(load_lines("keywords", __package__)), re.IGNORECASE)
"""A message without any of these is no command."""


def match_command(core: str, *, is_polite: bool, rest: str = "") -> Command | None:
    """The command of a sentence without politeness; ``rest`` is the text of the message after it."""
    return match_forget(core, is_polite=is_polite) or match_recall(core) or match_remember(core, rest)
