"""Reads the single fields of a memory in a model's reply: each is checked, whatever the verdict on the model is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from keepsake.domain.entities.resolve_relative import OTHER_PERSON
from keepsake.domain.extraction.derive_memory_key import SELF
from keepsake.domain.extraction.evidence import is_in_first_person
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.memory import MAX_TEXT_LENGTH, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.screening.readable_text import UNSPACED_LETTER
from keepsake.domain.text import clean_text, has_forbidden_characters, slug, words

DEFAULT_CONFIDENCE = 0.85
"""The confidence where the model gives none."""

MAX_CONFIDENCE = 0.99
"""The highest confidence a model can give; 1 means that the person confirmed it."""

_MAX_TRANSITS, _MAX_TRANSIT_LENGTH, _MAX_NAME_LENGTH = 5, 80, 80
_MAX_NAME_WORDS = 4
_KINDS = ("person", "place", "org", "project")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*\Z")
_DEFAULT_SUBTYPE = {
    MemoryType.EMOTION: Subtype.FEELING,
    MemoryType.PATTERN: Subtype.HABIT,
    MemoryType.RELATIONSHIP: Subtype.RELATIONSHIP,
}


class InvalidMember(Exception):
    """One memory of the reply is wrong."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_type(name: str) -> MemoryType:
    """The type; raises InvalidMember where there is none of that name."""
    try:
        return MemoryType(name)
    except ValueError:
        raise InvalidMember("unknown_type") from None


def read_subtype(name: str, kind: MemoryType) -> Subtype:
    """The subtype; where it is unknown, the usual one of the type."""
    try:
        return Subtype(name)
    except ValueError:
        return _DEFAULT_SUBTYPE.get(kind, Subtype.OTHER)


def one_line(raw: str) -> str:
    """The text, cleaned, on one line, where it is of a valid length and without forbidden characters."""
    text = " ".join(clean_text(raw).split())
    if has_forbidden_characters(text):
        raise InvalidMember("bad_characters")
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidMember("too_long")
    return text


def read_confidence(score: float | None) -> float:
    """The model's confidence, below what a confirmation gives; raises InvalidMember where it is no share."""
    if score is None:
        return DEFAULT_CONFIDENCE
    if not 0 <= score <= 1:
        raise InvalidMember("bad_confidence")
    return min(round(float(score), 3), MAX_CONFIDENCE)


def read_entity(
    entity: Mapping[str, Any] | None, key: str | None, sources: GroundingSources
) -> tuple[tuple[str, ...], str | None]:
    """The references of the relative in the key and of the entity the memory names, and the label of the latter.

    An entity that the message does not name, or a sentence for a name, is left out.
    """
    refs: list[str] = []
    if key and (about := parse_key(key)).subject != SELF:
        is_named = bool(about.name) and about.name not in OTHER_PERSON
        refs.append(f"person:{about.name if is_named else about.subject}")
    kind, name = (entity or {}).get("kind"), (entity or {}).get("name")
    if kind not in _KINDS or not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME_LENGTH or not slug(name):
        return tuple(refs), None
    if has_forbidden_characters(name):
        raise InvalidMember("bad_characters")
    written = words(name)
    if not _are_words_of(written, sources.message) or len(written) > _MAX_NAME_WORDS or is_in_first_person(name):
        return tuple(refs), None
    refs.append(f"{kind}:{slug(name)}")
    return tuple(dict.fromkeys(refs)), name.strip()


def _are_words_of(names: list[str], message: str) -> bool:
    """Whether all words of a name are words of the message; in a script without spaces, whether it contains them."""
    said = set(words(message))
    return all(one in said or (UNSPACED_LETTER.match(one) is not None and one in message) for one in names)


def read_transits(context: Mapping[str, Any] | None, sources: GroundingSources) -> tuple[str, ...]:
    """The transits whose words occur in the conversation or the chart; an invalid one is left out, the memory kept."""
    transits = (context or {}).get("transits")
    if not isinstance(transits, list):
        return ()
    known_words = frozenset(words(f"{sources.message} {sources.assistant or ''} {sources.chart}"))
    valid = (item for item in transits if isinstance(item, str) and 0 < len(item) <= _MAX_TRANSIT_LENGTH)
    kept = [item for item in valid if not has_forbidden_characters(item) and set(words(item)) <= known_words]
    return tuple(kept[:_MAX_TRANSITS])


def read_language(code: str, language: str) -> str:
    """The language of the statement as a code; ``language`` where the model gives none."""
    return code if _LANGUAGE.match(code) else language
