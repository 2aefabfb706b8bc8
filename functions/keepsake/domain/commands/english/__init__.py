"""The chat commands in English: the patterns of each kind, tried one after the other."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command
from keepsake.domain.commands.english.forget import match_forget, match_sentence, opens_with_do_not_remember
from keepsake.domain.commands.english.recall import match_recall
from keepsake.domain.commands.english.remember import match_remember
from keepsake.domain.commands.english.words import is_statement

__all__ = ["KEYWORDS", "is_statement", "match_command", "match_sentence", "opens_with_do_not_remember"]

KEYWORDS = re.compile(
    r"rem+e?m?e?ber|for?ge?t|froget|foget|memor|off the record|in mind|note|undo|(?:bring|put) |restor|keep|scrap|"
    r"strike|"
    r"delete|erase|remove|save|store|add |wipe|clear|drop|(?:you|u) know|have you got|do (?:yo)?u have|i (?:told|"
    r"tell) you|"
    r"told you|you(?:'ve| have) |record|reference|write|between|pause|resume|recording|stop|turn o|switch o",
    re.IGNORECASE,
)
"""A message without any of these is no command."""


def match_command(core: str, *, is_polite: bool, rest: str = "") -> Command | None:
    """The command of a sentence without politeness; ``rest`` is the text of the message after it."""
    return match_forget(core, is_polite=is_polite) or match_recall(core) or match_remember(core, rest)
