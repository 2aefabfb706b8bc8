"""Reads a language model's reply: what is not the schema is refused whole, what is wrong in one memory drops that one.

The reply is text from outside. Nothing in it is trusted: shape, length, characters and confidence are checked, and each
memory must rest on the person's own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from keepsake.domain.extraction.grounding import GroundingSources, grounding_error
from keepsake.domain.extraction.memory_keys import SELF, Slot, derive_key, is_negation
from keepsake.domain.extraction.reply_schema import InvalidReply, parse_members
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.screening.prompt_injection import addresses_the_model
from keepsake.domain.text import has_forbidden_characters, slug, words

__all__ = ["InvalidReply", "ParsedReply", "read_reply"]

DEFAULT_CONFIDENCE = 0.85
"""What a memory is trusted where the model gives no score."""

MAX_CONFIDENCE = 0.99
"""How sure a model can make us; only the person can confirm."""

MAX_QUOTE_LENGTH = 1000
"""Characters of a quote; a memory is one statement."""

MAX_MEMBERS = 25
"""Memories of one reply that are looked at; a turn keeps few of them."""

_MAX_TRANSITS, _MAX_TRANSIT_LENGTH, _MAX_NAME_LENGTH = 5, 80, 80
_KINDS = frozenset({"person", "place", "org", "project"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*\Z")
_DEFAULT_SUBTYPE = {
    MemoryType.EMOTION: Subtype.FEELING,
    MemoryType.PATTERN: Subtype.HABIT,
    MemoryType.RELATIONSHIP: Subtype.RELATIONSHIP,
}


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What a reply is worth: the memories that may go on, and how many were dropped for which reason."""

    candidates: tuple[Candidate, ...]
    dropped: Counter[str]


class InvalidMember(Exception):
    """One memory of the reply is wrong."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_reply(text: str, sources: GroundingSources, *, language: str = "en") -> ParsedReply:
    """The memories of a reply that hold; raises BadReply where it is no such reply at all."""
    members = parse_members(text)
    found: list[Candidate] = []
    dropped: Counter[str] = Counter()
    if len(members) > MAX_MEMBERS:
        dropped["too_many"] = len(members) - MAX_MEMBERS
    for member in members[:MAX_MEMBERS]:
        try:
            candidate = _candidate(member, sources, language)
        except InvalidMember as fault:
            dropped[fault.reason] += 1
            continue
        if any(_is_repetition(candidate, other) for other in found):
            dropped["repeated"] += 1
        else:
            found.append(candidate)
    return ParsedReply(tuple(found), dropped)


def _is_repetition(one: Candidate, other: Candidate) -> bool:
    """Whether the reply says the same twice."""
    if one.key is None or other.key is None:
        return one.text == other.text
    return (one.key, one.value, one.retracts) == (other.key, other.value, other.retracts)


def _candidate(member: Mapping[str, Any], sources: GroundingSources, language: str) -> Candidate:
    """The memory, or _Faulty with the reason."""
    kind = _type(member["type"])
    text = _text(member["text"], retracts=member["retracts"])
    about, attribute, value = (_slot_text(member[name]) for name in ("about", "attribute", "value"))
    quote = _quote(member["quote"], sources, text, value)
    slot = Slot(kind, about or SELF, attribute, value, member["many"], member["retracts"])
    slot = replace(slot, retracts=slot.retracts or is_negation(slot, text))
    key, stored = derive_key(slot, text)
    refs, label = _entity(member["entity"], key)
    return Candidate(
        type=kind,
        subtype=_subtype(member["subtype"], kind),
        text=text,
        quote=quote,
        confidence=_confidence(member["confidence"]),
        key=key,
        value=stored,
        importance=max(0, min(MAX_IMPORTANCE, member["importance"])),
        entity_type="person",
        entity_refs=refs,
        entity_label=label,
        language=member["language"] if _LANGUAGE.match(member["language"]) else language,
        retracts=slot.retracts,
        corrects=member["corrects"] or slot.retracts,
        transits=_transits(member["astro_context"], sources),
    )


def _quote(cited: str, sources: GroundingSources, text: str, value: str) -> str:
    """The person's words that the memory rests on."""
    if len(cited) > MAX_QUOTE_LENGTH:
        raise InvalidMember("too_long")
    if has_forbidden_characters(" ".join(cited.split())):
        raise InvalidMember("bad_characters")
    quote = sources.find_quote(cited)
    fault = grounding_error(sources, text=text, value=value, quote=quote, cited=cited)
    if fault is not None or quote is None:
        raise InvalidMember(fault or "invented_quote")
    return quote


def _type(name: str) -> MemoryType:
    try:
        return MemoryType(name)
    except ValueError:
        raise InvalidMember("unknown_type") from None


def _subtype(name: str, kind: MemoryType) -> Subtype:
    """The subtype; a model that knows none is taken to mean what the type suggests."""
    try:
        return Subtype(name)
    except ValueError:
        return _DEFAULT_SUBTYPE.get(kind, Subtype.OTHER)


def _text(given: str, *, retracts: bool) -> str:
    if has_forbidden_characters(given):
        raise InvalidMember("bad_characters")
    text = " ".join(given.split())
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidMember("too_long")
    if not words(text) and not retracts:
        raise InvalidMember("empty")
    if addresses_the_model(text):
        raise InvalidMember("instruction")
    return text


def _slot_text(given: str) -> str:
    """A slot, a value, a relation: short by nature."""
    if len(given) > MAX_TEXT_LENGTH:
        raise InvalidMember("too_long")
    if has_forbidden_characters(given):
        raise InvalidMember("bad_characters")
    return " ".join(given.split())


def _confidence(given: float | None) -> float:
    if given is None:
        return DEFAULT_CONFIDENCE
    if not 0 <= given <= 1:
        raise InvalidMember("bad_confidence")
    return min(round(float(given), 3), MAX_CONFIDENCE)


def _entity(given: Mapping[str, Any] | None, key: str | None) -> tuple[tuple[str, ...], str | None]:
    """Whom the memory is about beside the person, and what else it names."""
    refs: list[str] = []
    if key and (who := key.split("|")[2]) != SELF:
        named = len(key.split("|")) > 4 and key.startswith("relationship|")
        refs.append(f"person:{key.split('|')[3] if named else who}")
    kind, name = (given or {}).get("kind"), (given or {}).get("name")
    if kind not in _KINDS or not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME_LENGTH or not slug(name):
        return tuple(refs), None
    if has_forbidden_characters(name):
        raise InvalidMember("bad_characters")
    refs.append(f"{kind}:{slug(name)}")
    return tuple(dict.fromkeys(refs)), name.strip()


def _transits(given: Mapping[str, Any] | None, sources: GroundingSources) -> tuple[str, ...]:
    """The transits that were really spoken of; they are a note beside the memory, so that a wrong one only goes."""
    listed = (given or {}).get("transits")
    if not isinstance(listed, list):
        return ()
    spoken = frozenset(words(f"{sources.message} {sources.assistant or ''} {sources.chart}"))
    named = (item for item in listed if isinstance(item, str) and 0 < len(item) <= _MAX_TRANSIT_LENGTH)
    kept = [item for item in named if not has_forbidden_characters(item) and set(words(item)) <= spoken]
    return tuple(kept[:_MAX_TRANSITS])
