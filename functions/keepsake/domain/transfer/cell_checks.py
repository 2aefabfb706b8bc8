"""What anybody may say of a memory they bring along, field by field, and within which bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from keepsake.domain.memory import MAX_TEXT_LENGTH, MemoryType, Subtype
from keepsake.domain.text import has_forbidden_characters
from keepsake.domain.transfer.row_schema import Unfit, typed

_SPACES = re.compile(r"[ \t\r\n]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_REF = re.compile(r"(person|place|org|project):[^\s:|]{1,100}")
_MOST_REFS = 20
_LABEL_LENGTH = 120
_CLOCK_SKEW = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """What rows are judged by: the moment, the person's own profiles, and what vouches for a row."""

    now: datetime
    profiles: frozenset[str]
    target: str
    allowed_types: frozenset[str]
    verify: Callable[[str, Mapping[str, Any], object], bool]


def checked(name: str, value: Any, terms: Terms) -> Any:
    """What anybody may say in a column, as it would be stored; or Unfit."""
    value = typed(name, value)
    if isinstance(value, str) and name != "memory_text" and has_forbidden_characters(value):
        raise Unfit("bad_characters")
    return CHECKS[name](value, terms)


def _memory_text(value: str, _: Terms) -> str:
    text = _SPACES.sub(" ", value).strip()
    if not text:
        raise Unfit("required")
    if len(text) > MAX_TEXT_LENGTH:
        raise Unfit("too_long")
    return text


def _memory_type(value: str, terms: Terms) -> str:
    if value not in set(MemoryType):
        raise Unfit("unknown_type")
    if value not in terms.allowed_types:
        raise Unfit("type_not_allowed")
    return value


def _subtype(value: str, _: Terms) -> str:
    if value not in set(Subtype):
        raise Unfit("unknown_subtype")
    return value


def _confidence(value: float, _: Terms) -> float:
    if not 0 <= value <= 1:
        raise Unfit("out_of_range")
    return round(value, 3)


def _importance(value: int, _: Terms) -> int:
    if not 0 <= value <= 3:
        raise Unfit("out_of_range")
    return value


def _label(value: str, _: Terms) -> str | None:
    if len(value) > _LABEL_LENGTH:
        raise Unfit("too_long")
    return value.strip() or None


def _language(value: str, _: Terms) -> str:
    if not _LANGUAGE.fullmatch(value):
        raise Unfit("not_a_language")
    return value


def _refs(value: list[str], _: Terms) -> list[str]:
    if len(value) > _MOST_REFS:
        raise Unfit("too_many")
    if not all(_REF.fullmatch(ref) for ref in value):
        raise Unfit("not_an_entity")
    return list(dict.fromkeys(value))


def _past(value: str, terms: Terms) -> str:
    if datetime.fromisoformat(value) > terms.now + _CLOCK_SKEW:
        raise Unfit("in_the_future")
    return value


def _profile(value: str, terms: Terms) -> str:
    if value not in terms.profiles:
        raise Unfit("not_found")
    return value


def _as_given(value: Any, _: Terms) -> Any:
    return value


CHECKS: Mapping[str, Callable[[Any, Terms], Any]] = {
    "memory_text": _memory_text,
    "memory_type": _memory_type,
    "subtype": _subtype,
    "confidence_score": _confidence,
    "importance": _importance,
    "pinned": _as_given,
    "entity_type": _label,
    "entity_refs": _refs,
    "entity_label": _label,
    "persona_id": _label,
    "language": _language,
    "valid_from": _past,
    "expires_at": _as_given,
    "profile_id": _profile,
}
"""What anybody may say of a memory, and how each is checked; the rest belongs to the server."""
