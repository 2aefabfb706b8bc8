"""Checks what a language model's reply states: a memory that is invalid is dropped with a reason.

The reply is not trusted: types, lengths, characters and confidence are checked, and each memory must be grounded in the
person's own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from keepsake.domain.english.third_person import third_person
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.extraction.derive_memory_key import (
    SELF,
    Slot,
    derive_key,
    has_one_value,
    is_negation,
    subject_slug,
)
from keepsake.domain.extraction.evidence import is_in_first_person
from keepsake.domain.extraction.grounding import GROUNDING_ERRORS, GroundingSources, grounding_error
from keepsake.domain.extraction.reply_schema import ReplyMemory, parse_members
from keepsake.domain.extraction.resolve_memory_number import find_related, has_same_subject
from keepsake.domain.extraction.rules.clauses.normalize_clause import normalize_clause
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, Memory, MemoryType, Relation, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.replies.read_object import ReplyText
from keepsake.domain.screening.prompt_injection import addresses_model
from keepsake.domain.text import clean_text, has_forbidden_characters, slug, words

DEFAULT_CONFIDENCE = 0.85
"""The confidence where the model gives none."""

MAX_CONFIDENCE = 0.99
"""The highest confidence a model can give; 1 means that the person confirmed it."""

MAX_QUOTE_LENGTH = 1000
"""Characters of a quote; a memory is one statement."""

MAX_MEMBERS = 25
"""Memories of one reply that are read; a turn stores few of them."""

_MAX_TRANSITS, _MAX_TRANSIT_LENGTH, _MAX_NAME_LENGTH = 5, 80, 80
_MAX_NAME_WORDS = 4
_UNFOUNDED = frozenset(
    (*GROUNDING_ERRORS, "unknown_subject", "unknown_number", "unrelated_number"),
)
"""The reasons that say that a statement is not in the message; all others say that it may not be stored."""
_KINDS = ("person", "place", "org", "project")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*\Z")
_DEFAULT_SUBTYPE = {
    MemoryType.EMOTION: Subtype.FEELING,
    MemoryType.PATTERN: Subtype.HABIT,
    MemoryType.RELATIONSHIP: Subtype.RELATIONSHIP,
}


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The candidates of a reply, how many memories were dropped for which reason, and what was repaired."""

    candidates: tuple[Candidate, ...]
    dropped: Counter[str]
    repairs: frozenset[str] = frozenset()

    @property
    def is_unfounded(self) -> bool:
        """Whether the reply stated something, and nothing of it has evidence in the message."""
        return not self.candidates and bool(self.dropped) and self.dropped.keys() <= _UNFOUNDED


class InvalidMember(Exception):
    """One memory of the reply is wrong."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_reply(reply: ReplyText | str, sources: GroundingSources, *, language: str = "en") -> ParsedReply:
    """The valid memories of a reply; raises InvalidReply where it has no single meaning."""
    parsed = parse_members(reply)
    members, dropped = parsed.memories, parsed.dropped
    found: list[Candidate] = []
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
    return ParsedReply(tuple(found), dropped, parsed.repairs)


def _is_repetition(one: Candidate, other: Candidate) -> bool:
    """Whether both have the same key and value, or without a key the same text."""
    if one.key is None or other.key is None:
        return one.text == other.text
    return (one.key, one.value, one.retracts) == (other.key, other.value, other.retracts)


def _candidate(member: ReplyMemory, sources: GroundingSources, language: str) -> Candidate:
    """The candidate; raises InvalidMember with the reason."""
    kind = _type(member.type)
    text = _text(member.text, needs_no_words=member.relation in (Relation.ENDS, Relation.DOUBTS))
    about, attribute, value = map(_one_line, (member.about, member.attribute, member.value))
    quote = _quote(member.quote, sources, text, value)
    relation, memory = _related(member, sources, quote)
    takes_place = not member.many or has_one_value(attribute)
    if sources.is_english and takes_place and not sources.evidence(quote).supports_slot(attribute, value):
        attribute = ""
    slot = Slot(kind, about or SELF, attribute, value, member.many, relation is Relation.ENDS)
    slot = replace(slot, retracts=slot.retracts or is_negation(slot, text))
    key, stored = derive_key(slot, text)
    if memory is not None and not has_same_subject(memory, key):
        raise InvalidMember("other_subject")
    _check_evidence(sources, slot, text, quote, memory)
    refs, label = _entity(member.entity, key, sources)
    return Candidate(
        type=kind,
        subtype=_subtype(member.subtype, kind),
        text=text,
        quote=quote,
        confidence=_confidence(member.confidence),
        key=key,
        value=stored,
        importance=max(0, min(MAX_IMPORTANCE, member.importance)),
        entity_type="person",
        entity_refs=refs,
        entity_label=label,
        language=member.language if _LANGUAGE.match(member.language) else language,
        retracts=slot.retracts,
        corrects=slot.retracts or relation is Relation.REPLACES,
        transits=_transits(member.astro_context, sources),
        relation=relation,
        related_id=memory.id if memory else None,
    )


def _related(member: ReplyMemory, sources: GroundingSources, quote: str) -> tuple[Relation, Memory | None]:
    """What the statement does to which of the memories that were shown."""
    found = find_related(member.relation, member.number, sources.known, quote)
    if isinstance(found, str):
        raise InvalidMember(found)
    return found


def _check_evidence(sources: GroundingSources, slot: Slot, text: str, quote: str, memory: Memory | None) -> None:
    """Raise InvalidMember where the statement says more, or something else, than the quoted words."""
    if not sources.is_english:
        return
    relation = subject_slug(slot.about)
    is_about_self = relation == SELF
    if not (is_about_self or is_relation(relation) or sources.has_noun(relation)):
        raise InvalidMember("unknown_subject")
    fault = sources.evidence(quote, memory, is_about_self=is_about_self).error(
        text,
        terms=slot.value if is_about_self else f"{slot.value} {slot.about}",
        is_about_self=is_about_self,
        is_change=slot.retracts or memory is not None,
    )
    if fault is not None:
        raise InvalidMember(fault)


def _quote(cited: str, sources: GroundingSources, text: str, value: str) -> str:
    """The person's own words that the memory is grounded in."""
    cited = clean_text(cited)
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
    """The subtype; where it is unknown, the usual one of the type."""
    try:
        return Subtype(name)
    except ValueError:
        return _DEFAULT_SUBTYPE.get(kind, Subtype.OTHER)


def _text(raw: str, *, needs_no_words: bool) -> str:
    text = _one_line(raw)
    if is_in_first_person(text):
        text = third_person(normalize_clause(text).words)
    if not words(text) and not needs_no_words:
        raise InvalidMember("empty")
    if addresses_model(text):
        raise InvalidMember("instruction")
    return text


def _one_line(raw: str) -> str:
    """The text, cleaned, on one line, where it is of a valid length and without forbidden characters."""
    text = " ".join(clean_text(raw).split())
    if has_forbidden_characters(text):
        raise InvalidMember("bad_characters")
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidMember("too_long")
    return text


def _confidence(score: float | None) -> float:
    if score is None:
        return DEFAULT_CONFIDENCE
    if not 0 <= score <= 1:
        raise InvalidMember("bad_confidence")
    return min(round(float(score), 3), MAX_CONFIDENCE)


def _entity(
    entity: Mapping[str, Any] | None, key: str | None, sources: GroundingSources
) -> tuple[tuple[str, ...], str | None]:
    """The references of the relative in the key and of the entity the memory names, and the label of the latter.

    An entity that the message does not name, or a sentence for a name, is left out.
    """
    refs: list[str] = []
    if key and (about := parse_key(key)).subject != SELF:
        refs.append(f"person:{about.name or about.subject}")
    kind, name = (entity or {}).get("kind"), (entity or {}).get("name")
    if kind not in _KINDS or not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME_LENGTH or not slug(name):
        return tuple(refs), None
    if has_forbidden_characters(name):
        raise InvalidMember("bad_characters")
    written = words(name)
    if not set(written) <= set(words(sources.message)) or len(written) > _MAX_NAME_WORDS or is_in_first_person(name):
        return tuple(refs), None
    refs.append(f"{kind}:{slug(name)}")
    return tuple(dict.fromkeys(refs)), name.strip()


def _transits(context: Mapping[str, Any] | None, sources: GroundingSources) -> tuple[str, ...]:
    """The transits whose words occur in the conversation or the chart; an invalid one is left out, the memory kept."""
    transits = (context or {}).get("transits")
    if not isinstance(transits, list):
        return ()
    known_words = frozenset(words(f"{sources.message} {sources.assistant or ''} {sources.chart}"))
    valid = (item for item in transits if isinstance(item, str) and 0 < len(item) <= _MAX_TRANSIT_LENGTH)
    kept = [item for item in valid if not has_forbidden_characters(item) and set(words(item)) <= known_words]
    return tuple(kept[:_MAX_TRANSITS])
