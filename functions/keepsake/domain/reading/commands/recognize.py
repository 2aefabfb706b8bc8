"""Recognizes the command that a message is.

What is no part of the command is cut off: the assistant's name, and "just between us"; quoted text is never one. Then
``find_request`` finds the sentence that asks something, by its score, and ``make_command`` what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_words import read_tokens, without_fillers
from keepsake.domain.reading.commands.find_request import find_request
from keepsake.domain.reading.commands.make_command import make_command
from keepsake.domain.text import normalize_apostrophes, shorten_runs

_MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""
_MAX_ANSWER_LENGTH = 60
_CACHED_MESSAGES = 256
_ANSWERS = load_sections("answers", __package__)
_OF_ONE_WORD = (Kind.PAUSE, Kind.RESUME)
"""Commands that one word may be: whoever says "pause" and is not understood tells what is not to be kept."""
_QUOTED_TEXT = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
"""Code, quotes, lists, tables, tags and dialogues."""
_PERSONA_ONLY = re.compile(
    r"[\s,(-]{0,12}\b(?:but |and |it'?s |this is |that'?s ){0,4}"
    rf"{load_alternations('persona_only', __package__)['persona_only']}\b[\s,):.!;-]*",
    re.IGNORECASE,
)


def recognize(text: str, names: Collection[str] = ()) -> Command | None:
    """The command a message is, or None. By the ``names`` the assistant may be addressed."""
    return _recognize(text, tuple(names)) if len(text) <= _MAX_LENGTH else None


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    if len(text) > _MAX_ANSWER_LENGTH:
        return None
    answer = _words_of(text)
    if answer in _ANSWERS["accept"]:
        return Command(Kind.ACCEPT_REQUEST, is_ambiguous=True)
    return Command(Kind.REJECT_REQUEST, is_ambiguous=True) if answer in _ANSWERS["reject"] else None


@lru_cache(_CACHED_MESSAGES)  # a message is looked at when it is received, answered and read
def _recognize(text: str, names: tuple[str, ...]) -> Command | None:
    message = _without_address(normalize_apostrophes(shorten_runs(text)).strip(), names)
    if _QUOTED_TEXT.search(message):
        return None
    return _remember_for_persona(message) or _read_command(message)


def _without_address(message: str, names: Collection[str]) -> str:
    """The message without a name of the assistant at its beginning ("Mona, forget my job")."""
    named = "|".join(map(re.escape, filter(None, names)))
    greeting = r"(?:(?:hey|hi|hello|ok|okay|hallo),? )?"
    return re.sub(rf"^{greeting}(?:{named})(?!\w)[\s,:!.-]*", "", message, flags=re.IGNORECASE) if named else message


def _remember_for_persona(message: str) -> Command | None:
    """What this conversation's persona alone is to remember: "just between us, remember that I hate my job"."""
    if not _PERSONA_ONLY.search(message):
        return None
    rest = _PERSONA_ONLY.sub(lambda match: ": " if ":" in match[0] else " ", message).strip(" ,:;")
    command = _read_command(rest)
    return replace(command, is_persona_only=True) if command and command.kind is Kind.REMEMBER else None


def _words_of(text: str) -> str:
    return " ".join(token.word for token in without_fillers(read_tokens(text)))


def _read_command(message: str) -> Command | None:
    said = _words_of(message)
    if kind := next((kind for kind in _OF_ONE_WORD if said in _ANSWERS[kind]), None):
        return Command(kind)
    request = find_request(message)
    return make_command(request) if request else None
