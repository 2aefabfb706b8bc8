"""The commands in English: what each is said with, tried one after the other."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command
from keepsake.domain.commands.english.forget import forget, match_sentence, opens_with_do_not_remember
from keepsake.domain.commands.english.recall import recall
from keepsake.domain.commands.english.remember import remember
from keepsake.domain.commands.english.words import is_statement

__all__ = ["KEYWORDS", "command", "is_statement", "match_sentence", "opens_with_do_not_remember"]

KEYWORDS = re.compile(
    r"rem+e?m?e?ber|for?ge?t|froget|foget|memor|off the record|in mind|note|undo|(?:bring|put) |restor|keep|scrap|"
    r"strike|"
    r"delete|erase|remove|save|store|add |wipe|clear|drop|(?:you|u) know|have you got|do (?:yo)?u have|i (?:told|"
    r"tell) you|"
    r"told you|you(?:'ve| have) |record|reference|write|between",
    re.IGNORECASE,
)
"""Without any of these a message is no command."""


def command(core: str, *, polite: bool, rest: str = "") -> Command | None:
    """The command that a sentence is, once greetings and the like are off it.

    ``rest`` is what the message says after it.
    """
    return forget(core, polite=polite) or recall(core) or remember(core, rest)
