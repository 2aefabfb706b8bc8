"""Recognizes the command that a message is.

1. What is no part of the command is cut off: the assistant's name, and "just between us"; quoted text is never one.
2. ``find_request`` scores what each sentence asks, and all together, and takes what fits best, if that is good enough.
3. To recall, forget or remember is about something: ``commands_with_subject`` finds its words, or what else is meant.
4. "Don't remember this" is about its own message, if that tells something, and else about the one before.
5. Any other request is a command as it is. A command that may be none is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations, load_sections, load_words
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_words import (
    OTHER_WORDS,
    Token,
    class_of,
    has_class,
    read_tokens,
    without_fillers,
)
from keepsake.domain.reading.commands.commands_with_subject import command_with_subject
from keepsake.domain.reading.commands.find_request import INTENTS_WITH_SUBJECT, MEMORY, Request, find_request
from keepsake.domain.text import normalize_apostrophes, shorten_runs

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""
_MAX_ANSWER_LENGTH = 60
_CACHED_MESSAGES = 256
_MIN_OWN_SCORE = 1.0
"""How much better than nothing a request not to remember its own message has to fit."""
_MIN_CONTENT = 2
"""Words that a message tells beside such a request; one is enough where it has a teller or a colon."""
_ANSWERS = load_sections("answers", __package__)
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
    return _recognize(text, tuple(names)) if len(text) <= MAX_LENGTH else None


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    if len(text) > _MAX_ANSWER_LENGTH:
        return None
    answer = " ".join(token.word for token in without_fillers(read_tokens(text)))
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
    for name in names:
        greeted = re.match(
            rf"(?:(?:hey|hi|hello|ok|okay|hallo),? )?{re.escape(name)}(?!\w)[\s,:!.-]*", message, re.IGNORECASE
        )
        if name and greeted:
            return message[greeted.end() :]
    return message


def _remember_for_persona(message: str) -> Command | None:
    """What this conversation's persona alone is to remember: "just between us, remember that I hate my job"."""
    if not _PERSONA_ONLY.search(message):
        return None
    rest = _PERSONA_ONLY.sub(lambda match: ": " if ":" in match[0] else " ", message).strip(" ,:;")
    command = _read_command(rest)
    return replace(command, is_persona_only=True) if command and command.kind is Kind.REMEMBER else None


def _read_command(message: str) -> Command | None:
    """The command that a message is as a whole."""
    request = find_request(message)
    if request is None:
        return None
    if request.intent in INTENTS_WITH_SUBJECT:
        return command_with_subject(request)
    if request.intent == Kind.DO_NOT_REMEMBER and _has_content(request.tokens):
        return _forbid_own_message(request)
    if request.intent == Kind.FORGET_ALL:  # which asks back, so that it need not be sure
        return Command(Kind.FORGET_ALL, is_confirmation=_begins_with_yes(request.tokens))
    return Command(Kind(request.intent), is_ambiguous=request.is_ambiguous)


def _has_content(tokens: Sequence[Token]) -> bool:
    """Whether a message tells something beside the words with which one asks."""
    said = [token.word for token in without_fillers(tokens) if not class_of(token.word)]
    content = [word for word in said if word not in load_words("function_words")]
    is_marked = any(token.word == ":" or token.word in OTHER_WORDS["teller"] for token in tokens)
    return len(content) >= (1 if is_marked else _MIN_CONTENT)


def _forbid_own_message(request: Request) -> Command | None:
    """Not to remember the message itself; that has to be surely asked of the memory, as its content would be lost."""
    is_sure = request.score >= _MIN_OWN_SCORE and has_class(request.asking, MEMORY)
    return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True) if is_sure else None


def _begins_with_yes(tokens: Sequence[Token]) -> bool:
    """Whether a message confirms what was asked back: "yes, forget everything"."""
    return any(token.word in _ANSWERS["accept"] for token in without_fillers(tokens)[:1])
