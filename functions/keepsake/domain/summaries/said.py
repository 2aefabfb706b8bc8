"""What a person said in a period: their messages that may be read, and what of each may be told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from keepsake.domain.reading.message import MASK, PreviousMessage, is_in_role_play, mask_quoted_text
from keepsake.domain.reading.statements import brings_text
from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.summaries.left_out import ForgottenStatements
from keepsake.domain.text import has_forbidden_characters, normalize_apostrophes, truncate_at_sentence

_MAX_LENGTH = 1500
"""Characters of a message that a summary reads."""
_REMEMBERED_PLAYS = 6
_LOG_LINE = re.compile(
    r"^[\[(]?(?:[\d./-]{6,10},?[ T])?\d{1,2}:\d\d(?::\d\d)?(?: ?[APap][Mm])?[\])]?[ -]{1,3}[A-ZÀ-ÖØ-Þ][^\n:]{0,40}: ",
    re.MULTILINE,
)
"""A line of a chat that was exported: "[12/03/2026, 10:22] Ana: I lost my job"."""
_READ_AGAIN = 1024
"""Texts that are not judged anew when a summary is stored: they were read before the model was asked, as were those of
the other people whose summaries are written at the same time."""


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """A message of the person, with their local time, the memories that it became, and the end of the answer to it."""

    id: UUID
    conversation_id: UUID
    said_at: datetime
    text: str
    memory_ids: tuple[UUID, ...] = ()
    answer: str = ""
    is_forgotten: bool = False
    """Whether a memory that it became was forgotten or erased: then only the rest of it is told."""
    lines: str | None = None
    """The text with its lines, which show what is pasted or quoted and ``text`` has no more; None before it is read."""

    @property
    def own_text(self) -> str:
        """What may be quoted as the person's own words: what is pasted or quoted is masked."""
        return self.text if self.lines is None else _own_line(self.lines)

    @property
    def is_readable(self) -> bool:
        """Whether a summary may read it: it gives no orders, and has words of its author."""
        return self.lines is None or not _is_left_out(self.lines)


def tellable(messages: Iterable[SaidMessage], forgotten: ForgottenStatements) -> list[SaidMessage]:
    """The messages in one line each, oldest first, without role play and what is forgotten.

    Which of them are ``readable`` takes long: it is asked only of those that are shown.
    """
    found: list[SaidMessage] = []
    before: dict[UUID, list[PreviousMessage]] = {}
    for message in messages:
        previous = before.setdefault(message.conversation_id, [])
        is_left_out = is_in_role_play(message.text, previous)
        previous.insert(0, PreviousMessage("user", message.text))
        del previous[_REMEMBERED_PLAYS:]
        if is_left_out:
            continue
        lines = forgotten.without(message.text, message.said_at, is_source=message.is_forgotten)
        line = _in_one_line(lines)
        if line and not has_forbidden_characters(line):
            answer = "" if message.is_forgotten else message.answer
            found.append(replace(message, text=line, answer=answer, lines=lines))
    return found


def readable(messages: Iterable[SaidMessage]) -> list[SaidMessage]:
    """The messages that a summary may read."""
    return [one for one in messages if one.is_readable]


@lru_cache(maxsize=_READ_AGAIN)
def mask_others_words(text: str) -> str:
    """The text of a message, of the same length, with all masked that is not its author's own."""
    masked = _mask_quoted(text)
    if brings_text(masked):
        return MASK * len(text)
    log = [*_LOG_LINE.finditer(text)]
    if len(log) > 1:
        masked = masked[: log[0].start()] + MASK * (len(text) - log[0].start())
    return "".join(MASK if shown == MASK else letter for letter, shown in zip(text, masked, strict=True))


@lru_cache(maxsize=_READ_AGAIN)
def _own_line(text: str) -> str:
    return _in_one_line(mask_others_words(text))


@lru_cache(maxsize=_READ_AGAIN)
def _is_left_out(text: str) -> bool:
    """Whether what is told of a message gives orders, or has no words of its author."""
    text, _ = truncate_at_sentence(text, _MAX_LENGTH)
    return is_prompt_injection(text) or not _mask_quoted(text).replace(MASK, "").strip()


@lru_cache(maxsize=32)
def _mask_quoted(text: str) -> str:
    return mask_quoted_text(normalize_apostrophes(text))


def _in_one_line(text: str) -> str:
    """What of a text is not too long, in one line."""
    return " ".join(truncate_at_sentence(text, _MAX_LENGTH)[0].split())


def newest_within(messages: Sequence[SaidMessage], limit: int) -> list[SaidMessage]:
    """The newest readable messages whose texts have at most this many characters together."""
    found: list[SaidMessage] = []
    for one in reversed(messages):
        if len(one.text) > limit:
            break
        if one.is_readable:
            found.append(one)
            limit -= len(one.text)
    return found[::-1]
