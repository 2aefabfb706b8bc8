"""Finds the JSON values in a text: those that are valid, and broken ones as ``json_repair`` reads them.

The text is a model's and can be of any form, so the number of places that are tried is bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import json_repair

_MAX_STARTS, _MAX_REPAIRS = 60, 6
_MAX_REPAIRED = 8_000
"""Characters of a broken value that are looked at; a reply of seven hundred tokens has three thousand."""
_MAX_DEPTH = 30
"""Brackets within brackets that a broken value may have; its repair would take too long."""
_START = re.compile(r"[{\[]")
_BRACKET_OR_QUOTE = re.compile(r"""\\.|["'{}\[\]]""", re.DOTALL)
_SINGLE_QUOTED = re.compile(r"[{\[][\s{\[]*'")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)|(?:```|~~~)\s*\Z", re.MULTILINE)
_UNQUOTED = re.compile(r'\\.|"', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value, its place in the text, and whether it had to be repaired."""

    value: Any
    start: int
    end: int
    is_repaired: bool = False
    is_closed: bool = True
    """Whether its brackets are closed."""
    is_unfinished: bool = False
    """Whether it ends in the middle of a string."""


def parse_entire(text: str) -> FoundValue | None:
    """The value that the entire text is; None where it is not valid JSON."""
    try:
        return FoundValue(json.loads(text, parse_constant=lambda _: None), 0, len(text))
    except (ValueError, RecursionError):
        return None


def find_valid(text: str) -> Iterator[FoundValue]:
    """The valid objects and lists that are not part of another one."""
    begin = 0
    for _ in range(_MAX_STARTS):
        start = _START.search(text, begin)
        if start is None:
            return
        found = _decode(text, start.start())
        if found is not None:
            yield found
        begin = found.end if found else start.end()


def find_values(text: str, is_answer: Callable[[Any], bool], *, may_repair: bool) -> Iterator[FoundValue]:
    """The values in a text: valid ones, and where ``may_repair`` the broken ones that are an answer when repaired."""
    begin, repairs = 0, _MAX_REPAIRS if may_repair else 0
    for _ in range(_MAX_STARTS):
        start = _START.search(text, begin)
        if start is None:
            return
        found = _decode(text, start.start()) or _decode_string(text, start.start())
        if found is None and not may_repair and _extent(text, start.start())[0] is None:
            return  # what follows is part of a value that breaks off
        if found is None and repairs:
            repairs -= 1
            repaired = _repair(text, start.start())
            found = repaired if repaired is not None and is_answer(repaired.value) else None
        if found is not None:
            yield found
        begin = found.end if found else start.end()


def _decode(text: str, start: int) -> FoundValue | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return FoundValue(value, start, end)


def _decode_string(text: str, start: int) -> FoundValue | None:
    """The JSON string whose first character is the bracket at ``start``."""
    if text[start - 1 : start] != '"':
        return None
    return _decode(text, start - 1)


def _repair(text: str, start: int) -> FoundValue | None:
    """What ``json_repair`` makes of the value that begins here; it ends with its bracket, its fence or the text."""
    end, depth = _extent(text, start)
    is_closed = end is not None
    if depth > _MAX_DEPTH:
        return None
    if end is None:
        fence = _FENCE.search(text, start)
        end = fence.start() if fence else len(text)
    broken = text[start : min(end, start + _MAX_REPAIRED)]
    try:
        value = json_repair.loads(broken, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        return None
    is_unfinished = not is_closed and _ends_in_string(broken)
    return FoundValue(value, start, end, is_repaired=True, is_closed=is_closed, is_unfinished=is_unfinished)


def _extent(text: str, start: int) -> tuple[int | None, int]:
    """Where the brackets that open here are all closed, and how deep they are; those within quotes do not count."""
    if _SINGLE_QUOTED.match(text, start):  # as Python has them
        end, depth = _find_end(text, start, "\"'")
        if end is not None:
            return end, depth
    return _find_end(text, start, '"')


def _find_end(text: str, start: int, quotes: str) -> tuple[int | None, int]:
    depth, deepest, quote = 0, 0, None
    for mark in _BRACKET_OR_QUOTE.finditer(text, start):
        if mark[0] in quotes:
            quote = mark[0] if quote is None else None if quote == mark[0] else quote
        elif quote is None and mark[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif quote is None and mark[0] in "}]":
            depth -= 1
            if depth == 0:
                return mark.end(), deepest
    return None, deepest


def _ends_in_string(text: str) -> bool:
    return sum(mark[0] == '"' for mark in _UNQUOTED.finditer(text)) % 2 == 1
