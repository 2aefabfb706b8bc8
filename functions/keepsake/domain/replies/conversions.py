"""Lossless conversions of single values of a reply: a value of another type that says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_HIGHEST_SHARE_OF_TEN = 10
"""A confidence above it is one of a hundred; between 1 and 10 it could be either, and is none."""
_BLANK = frozenset({"", "null", "none", "n/a"})


def to_text(value: Any) -> Any:
    """A text as it is; texts in a list as one, a truth value as its word."""
    if isinstance(value, bool):
        return str(value).casefold()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return _single(value)


def to_choice(value: Any) -> Any:
    """One of the words of an enumeration, which are lower case."""
    text = to_text(value)
    return text.strip().casefold() if isinstance(text, str) else text


def to_integer(value: Any) -> Any:
    """The number of ``"3"`` and ``3.0``; None where there is none. Another value stays, and is refused."""
    value = _single(value)
    if isinstance(value, bool):
        return str(value)
    return None if isinstance(value, str) and value.strip().casefold() in _BLANK else value


def to_share(value: Any) -> Any:
    """A number from 0 to 1, also from ``"0.9"``, ``"90%"`` and 90; None where it is no number."""
    value = _single(value)
    if isinstance(value, str):
        percent = _PERCENT.fullmatch(value.strip())
        if percent is not None:
            return float(percent[1]) / 100
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value / 100 if _HIGHEST_SHARE_OF_TEN < value <= 100 else value


def _single(value: Any) -> Any:
    """The one item of a list; None for an empty list or object."""
    if isinstance(value, list | Mapping) and not value:
        return None
    return value[0] if isinstance(value, list) and len(value) == 1 else value
