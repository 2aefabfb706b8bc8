"""What a person said in a period: their messages that may be read, and what of each may be told."""

from __future__ import annotations

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
    masked: str | None = None
    """The text with what is pasted or quoted masked, as the lines show that ``text`` has no more; None before."""

    @property
    def own_text(self) -> str:
        """What may be quoted as the person's own words."""
        return self.text if self.masked is None else self.masked


def readable(messages: Iterable[SaidMessage], forgotten: ForgottenStatements) -> list[SaidMessage]:
    """The messages as a summary may read them, oldest first: without role play, orders and what is forgotten."""
    found: list[SaidMessage] = []
    before: dict[UUID, list[PreviousMessage]] = {}
    for message in messages:
        previous = before.setdefault(message.conversation_id, [])
        own = mask_others_words(message.text)
        is_left_out = is_in_role_play(message.text, previous) or _is_left_out(message.text)
        previous.insert(0, PreviousMessage("user", message.text))
        del previous[_REMEMBERED_PLAYS:]
        if is_left_out:
            continue
        line, masked = (_in_one_line(text, message, forgotten) for text in (message.text, own))
        if line and not has_forbidden_characters(line):
            answer = "" if message.is_forgotten else message.answer
            found.append(replace(message, text=line, answer=answer, masked=masked))
    return found


@lru_cache(maxsize=_READ_AGAIN)
def mask_others_words(text: str) -> str:
    """The text of a message, of the same length, with all masked that is not its author's own."""
    masked = _mask_quoted(text)
    if brings_text(masked):
        return MASK * len(text)
    return "".join(MASK if shown == MASK else letter for letter, shown in zip(text, masked, strict=True))


@lru_cache(maxsize=_READ_AGAIN)
def _is_left_out(text: str) -> bool:
    """Whether a message gives orders, or has no words of its author."""
    return is_prompt_injection(text) or not _mask_quoted(text).replace(MASK, "").strip()


@lru_cache(maxsize=32)
def _mask_quoted(text: str) -> str:
    return mask_quoted_text(normalize_apostrophes(text))


def _in_one_line(text: str, message: SaidMessage, forgotten: ForgottenStatements) -> str:
    """What of a text of this message is not forgotten and not too long, in one line."""
    text = forgotten.without(text, message.said_at, is_source=message.is_forgotten)
    return " ".join(truncate_at_sentence(text, _MAX_LENGTH)[0].split())


def newest_within(messages: Sequence[SaidMessage], limit: int) -> Sequence[SaidMessage]:
    """The newest messages whose texts have at most this many characters together."""
    size, first = 0, len(messages)
    while first and size + len(messages[first - 1].text) <= limit:
        first -= 1
        size += len(messages[first].text)
    return messages[first:]
