"""The pydantic base of what is read from a reply: names in any case, null for a default, lossless conversions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_HIGHEST_SHARE_OF_TEN = 10
"""A confidence above it is one of a hundred; between 1 and 10 it could be either, and is none."""
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_EMPTY = frozenset({"", "null", "none", "n/a"})


class LenientModel(BaseModel):
    """Fields in any case of their names; null, and what says nothing, is left to the default; others are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _normalize_names(cls, fields: Any) -> Any:
        if not isinstance(fields, Mapping):
            return fields
        return {field_name(name): part for name, part in fields.items() if part is not None}


def field_name(key: Any) -> str:
    """The name of a field, however it was written: ``"Key Themes"`` is ``key_themes``."""
    return str(key).strip().casefold().replace("-", "_").replace(" ", "_")


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


def to_whole_number(value: Any) -> Any:
    """The number of ``"3"`` and ``3.0``; None where there is none. Another value stays, and is refused."""
    value = _single(value)
    if isinstance(value, bool):
        return str(value)
    return None if isinstance(value, str) and value.strip().casefold() in _EMPTY else value


def to_flag(value: Any) -> Any:
    """The truth value of ``"false"``, ``0`` and the like; nothing is false."""
    value = _single(value)
    if isinstance(value, str):
        word = value.strip().casefold()
        return False if word in _EMPTY else _FLAGS.get(word, value)
    return False if value is None else value


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


def or_default(convert: Callable[[Any], Any], default: Any) -> Callable[[Any], Any]:
    """What is read of a field that a memory can do without; where it cannot be read, the default."""

    def read(value: Any) -> Any:
        try:
            read = convert(value)
        except (TypeError, ValueError, OverflowError):
            return default
        return default if read is None else read

    return read


def _single(value: Any) -> Any:
    """The one item of a list; None for an empty list or object."""
    if isinstance(value, list | Mapping) and not value:
        return None
    return value[0] if isinstance(value, list) and len(value) == 1 else value


Text = Annotated[str, BeforeValidator(to_text)]
Choice = Annotated[str, BeforeValidator(to_choice)]
WholeNumber = Annotated[int | None, BeforeValidator(to_whole_number)]
Flag = Annotated[bool, BeforeValidator(to_flag)]
Share = Annotated[float | None, BeforeValidator(to_share)]
