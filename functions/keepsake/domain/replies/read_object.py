"""Reads the reply of a model: the one door between what an endpoint sent and what extraction and summaries use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.replies.find_values import FoundValue, find_valid, find_values, parse_entire
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.shape import Match, ReplyShape
from keepsake.domain.replies.thoughts import Spoken, has_marks, remove_thoughts

_MARKS_AT_THE_EDGE = "\ufeff\u200b\u2060\u200e\u200f"
_AFTER_ANSWER = re.compile(r"(?:\s|```|~~~|<\|[a-z_]{1,20}\|>|</?s>|<end_of_turn>)*\Z")
_SAYS_NOTHING = re.compile(r"\b(?:nothing|none|empty|null|n/a|no (?:new )?(?:memory|memories|facts?))\b", re.IGNORECASE)
_MAX_WORDS_OF_NOTHING = 100
_MAX_DEPTH = 3
_MAX_READ = 48_000
"""Characters of a reply that are read."""


@dataclass(frozen=True, slots=True)
class ReplyText:
    """What an endpoint sent as the reply of a model, by where it stood."""

    text: str
    tool_call: str = ""
    """The arguments of calls of tools and functions, one a line."""
    reasoning: str = ""
    is_truncated: bool = False
    repairs: frozenset[str] = frozenset()
    """What already had to be unwrapped, such as content in parts."""
    is_second: bool = False
    """Whether it answers a correction: words that say that there is nothing are then taken for it."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The object of a reply, and what had to be unwrapped or repaired for it."""

    fields: Mapping[str, Any]
    repairs: frozenset[str] = frozenset()


def read_object(reply: ReplyText, shape: ReplyShape) -> ReadReply:
    """The object that a reply answers with; raises InvalidReply where it has none, or two that differ."""
    spoken = _spoken(reply.text[:_MAX_READ], shape)
    match = _answer_of(spoken, shape, reply)
    if match is not None:
        return ReadReply(match.fields, reply.repairs | match.repairs | spoken.marks)
    call = _spoken(reply.tool_call[:_MAX_READ], shape)
    match = _answer_of(call, shape, reply, joins_lists=True)
    if match is not None:
        return ReadReply(match.fields, reply.repairs | match.repairs | call.marks | {"tool_call"})
    if not reply.is_truncated and not _has_words(spoken.text):
        match = _answer_at_the_end(reply.reasoning[-_MAX_READ:], shape)
        if match is not None:
            return ReadReply(match.fields, reply.repairs | match.repairs | {"reasoning_field"})
    if reply.is_second and _says_nothing(spoken.text, shape):
        return ReadReply(shape.nothing, reply.repairs | {"words_for_nothing"})
    raise _error(spoken, reply, shape)


def _error(spoken: Spoken, reply: ReplyText, shape: ReplyShape) -> InvalidReply:
    """Why a reply without an answer cannot be used."""
    if reply.is_truncated:
        return InvalidReply("it was cut off", "cut_off")
    if _says_nothing(spoken.text, shape):
        return InvalidReply("it said in words that there is nothing", "says_nothing")
    if _has_words(spoken.text) or _has_words(reply.tool_call):
        names = " and ".join(f'"{name}"' for name in sorted(shape.fields))
        return InvalidReply(f"it was not a JSON object with {names}")
    if spoken.marks or _has_words(reply.reasoning):
        return InvalidReply("it held thoughts only, and no answer", "only_reasoning")
    return InvalidReply("it was empty", "empty")


def _answer_of(spoken: Spoken, shape: ReplyShape, reply: ReplyText, *, joins_lists: bool = False) -> Match | None:
    """The answer in a text, or at the end of a thought that nothing closes."""
    match = _find_answer(spoken.text, shape, may_repair=not reply.is_truncated, joins_lists=joins_lists)
    if match is None and spoken.unfinished_thought and not reply.is_truncated and not _has_words(spoken.text):
        return _answer_at_the_end(spoken.unfinished_thought, shape)
    return match


def _has_words(text: str) -> bool:
    return bool(text.strip(_MARKS_AT_THE_EDGE + " \t\r\n"))


def _says_nothing(text: str, shape: ReplyShape) -> bool:
    """Whether a short text says that there is nothing to note."""
    is_short = len(text.strip()) <= _MAX_WORDS_OF_NOTHING and not any(mark in text for mark in "{}[]")
    return shape.allows_nothing and is_short and _SAYS_NOTHING.search(text) is not None


def _spoken(text: str, shape: ReplyShape) -> Spoken:
    """The text without thoughts; that of a valid value as it is."""
    if parse_entire(text.strip()) is not None or not has_marks(text):
        return Spoken(text)
    found = find_values(text, lambda value: _is_answer(value, shape), may_repair=True)
    return remove_thoughts(text, [(value.start, value.end) for value in found if value.is_closed])


def _find_answer(
    text: str, shape: ReplyShape, *, may_repair: bool, joins_lists: bool = False, depth: int = 0
) -> Match | None:
    """The one answer in a text; InvalidReply where there are two that differ."""
    bare = text.strip().strip(_MARKS_AT_THE_EDGE).strip()
    entire = parse_entire(bare)
    if entire is not None and (match := _match(entire, shape, depth)) is not None:
        return match if bare == text.strip() else match.plus("byte_order_mark")
    if entire is not None and shape.is_nothing(entire.value):
        return Match(shape.nothing, frozenset({"empty_form"}))
    values = list(find_values(bare, lambda value: _is_answer(value, shape), may_repair=may_repair))
    matches = [match for value in values if (match := _match(value, shape, depth)) is not None]
    wrapping = _wrapping(bare, values)
    if matches:
        match = _combine(matches, shape, joins_lists=joins_lists)
        return Match(match.fields, match.repairs | wrapping)
    if any(shape.is_nothing(value.value) for value in values):
        return Match(shape.nothing, wrapping | {"empty_form"})
    return None


def _is_answer(repaired: Any, shape: ReplyShape) -> bool:
    """Whether a repaired value is an answer; one without members may have lost them."""
    match = shape.match(repaired)
    return match is not None and (not shape.list_field or bool(match.fields[shape.list_field]))


def _wrapping(text: str, values: Sequence[FoundValue]) -> frozenset[str]:
    """What stands around the values."""
    begins, ends = [0, *(value.end for value in values)], [*(value.start for value in values), len(text)]
    around = "".join(text[begin:end] for begin, end in zip(begins, ends, strict=True)).strip()
    if "```" in around or "~~~" in around:
        return frozenset({"fence"})
    return frozenset({"prose"}) if around else frozenset()


def _match(found: FoundValue, shape: ReplyShape, depth: int) -> Match | None:
    """The answer that a value is, also one that a string holds; the member that breaks off is left out."""
    if isinstance(found.value, str):
        inner = _find_answer(found.value, shape, may_repair=True, depth=depth + 1) if depth < _MAX_DEPTH else None
        return inner.plus("encoded") if inner is not None else None
    match = shape.match(found.value)
    if match is None or not found.is_repaired:
        return match
    members = match.fields.get(shape.list_field)
    if found.is_unfinished and not isinstance(members, list):
        return None
    if found.is_unfinished and isinstance(members, list):
        match = Match({**match.fields, shape.list_field: [*members[:-1], None]}, match.repairs)
    return match.plus("syntax")


def _combine(matches: Sequence[Match], shape: ReplyShape, *, joins_lists: bool) -> Match:
    """One answer of several: lines of members are one list, and the same answer twice is one."""
    first, *others = matches
    repairs = frozenset[str]().union(*(match.repairs for match in matches))
    if all(match.fields == first.fields for match in others):
        return Match(first.fields, repairs | {"repeated"} if others else repairs)
    if shape.list_field and (joins_lists or all(match.is_member for match in matches)):
        members = [member for match in matches for member in match.fields[shape.list_field]]
        return Match({shape.list_field: members}, repairs - {"single_object"} | {"lines"})
    raise InvalidReply("it held two answers that differ", "two_answers")


def _answer_at_the_end(thoughts: str, shape: ReplyShape) -> Match | None:
    """The answer that thoughts end with, where it is the only one in them: what comes before could be a draft."""
    spoken = _spoken(thoughts, shape)
    text = spoken.text if spoken.text.strip() else thoughts
    values = [value for value in find_valid(text) if shape.match(value.value) is not None]
    if len(values) != 1 or not _AFTER_ANSWER.match(text, values[0].end):
        return None
    return shape.match(values[0].value)
