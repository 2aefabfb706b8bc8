"""Makes a candidate of a memory in a capable model's reply: held to the contract, and stored in the model's words."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.entities.parse_relative import parse_relative
from keepsake.domain.entities.resolve_relative import OTHER_PERSON
from keepsake.domain.evidence.clauses_around import Passage
from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.speaker_words import guess_language
from keepsake.domain.extraction.attributes import has_several_values, is_known, subtype_of
from keepsake.domain.extraction.believed_relation import believed_relation, is_about_another, numbered
from keepsake.domain.extraction.contract import Statement, contract_error
from keepsake.domain.extraction.derive_memory_key import SELF, Slot, derive_key, is_negation, subject_slug
from keepsake.domain.extraction.grounding import GroundingSources, quote_error
from keepsake.domain.extraction.member_fields import (
    InvalidMember,
    one_line,
    read_confidence,
    read_entity,
    read_language,
    read_subtype,
    read_transits,
    read_type,
)
from keepsake.domain.extraction.reply_schema import ReplyMemory
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Candidate, Memory, MemoryType, Relation, Subtype
from keepsake.domain.screening.instructions import addresses_model
from keepsake.domain.text import clean_text, has_forbidden_characters, words

DEFAULT_LANGUAGE = "en"
"""The language of a memory where nobody knows it."""

MAX_QUOTE_LENGTH = 1000
"""Characters of a quote; a memory is one statement."""

_NEEDS_MEMORY = frozenset({Relation.NEVER_TRUE, Relation.DOUBTS})
"""These say something of a known memory alone: their own text is stored nowhere."""
_NEEDS_NO_TEXT = _NEEDS_MEMORY | {Relation.ENDS}
_CORRECTS = frozenset({Relation.REPLACES, Relation.CORRECTS, Relation.ADDS})
_DURABLE_IMPORTANCE = 2
"""The importance of what stays true for years."""


def believed_candidate(member: ReplyMemory, sources: GroundingSources, language: str) -> Candidate:
    """The candidate; raises InvalidMember with the reason."""
    kind = read_type(member.type)
    text = _text(member)
    about, attribute, value = map(one_line, (member.about, member.attribute, member.value))
    quote = find_quote(member.quote, sources)
    code = statement_language(member, sources, language)
    memories = numbered(member.shown_numbers, sources.known)
    check_contract(member, sources, text=text, quote=quote, code=code, memories=memories)
    passage = Passage(sources.unquoted_message, quote, code)
    relation, related = believed_relation(member.relation, memories, passage, text=text, attribute=attribute)
    if relation is Relation.NEW and (not text or member.relation in _NEEDS_MEMORY):
        raise InvalidMember("unrelated_number")
    if relation in _NEEDS_MEMORY:
        text = ""
    if is_about_another(passage, about) and parse_relative(about).name not in OTHER_PERSON:
        about = f"other {about}"
    slot = Slot(kind, about or SELF, attribute, value, has_several_values(attribute), relation in _NEEDS_NO_TEXT)
    slot = replace(slot, retracts=slot.retracts or is_negation(slot, text))
    key, stored = derive_key(slot, text)
    refs, label = read_entity(member.entity, key, sources)
    period = read_period(member.when, sources, text, code)
    return Candidate(
        type=kind,
        subtype=_subtype(member, kind, attribute, is_plan=_is_future(period, sources)),
        text=text,
        quote=quote,
        confidence=read_confidence(member.confidence),
        key=key,
        value=stored,
        importance=max(0, min(MAX_IMPORTANCE, member.importance)),
        entity_type="person",
        entity_refs=refs,
        entity_label=label,
        language=code or DEFAULT_LANGUAGE,
        retracts=slot.retracts,
        corrects=slot.retracts or relation in _CORRECTS,
        transits=read_transits(member.astro_context, sources),
        relation=relation,
        related_id=related[0].id if related else None,
        more_related_ids=tuple(memory.id for memory in related[1:]),
        is_believed=True,
        period=period,
    )


def find_quote(cited: str, sources: GroundingSources) -> str:
    """The person's own words that a statement cites; raises InvalidMember where they are not in the message."""
    cited = clean_text(cited)
    if len(cited) > MAX_QUOTE_LENGTH:
        raise InvalidMember("too_long")
    if has_forbidden_characters(" ".join(cited.split())):
        raise InvalidMember("bad_characters")
    quote = sources.find_quote(cited)
    if quote is None:
        raise InvalidMember(quote_error(sources, cited))
    return quote


def statement_language(member: ReplyMemory, sources: GroundingSources, language: str) -> str:
    """The language of a statement; empty where neither the model says it nor the message shows it."""
    guessed = language or guess_language(sources.unquoted_message, may_be_english=sources.is_english)
    return read_language(member.language, guessed)


def _text(member: ReplyMemory) -> str:
    text = one_line(member.text)
    if not words(text) and member.relation not in _NEEDS_NO_TEXT:
        raise InvalidMember("empty")
    if addresses_model(text):
        raise InvalidMember("instruction")
    return text


def check_contract(
    member: ReplyMemory, sources: GroundingSources, *, text: str, quote: str, code: str, memories: list[Memory]
) -> None:
    """Raise InvalidMember where the statement breaks the contract."""
    if not text:
        return
    about = "" if subject_slug(member.about) == SELF else member.about
    name = (member.entity or {}).get("name")
    named = [one for one in (about, name) if isinstance(one, str) and one]
    people = named if (member.entity or {}).get("kind") == "person" else named[:1] if about else []
    is_correction = member.relation == Relation.CORRECTS
    fault = contract_error(Statement(text, quote, about, named, people, code, memories, is_correction), sources)
    if fault is not None:
        raise InvalidMember(fault)


def _subtype(member: ReplyMemory, kind: MemoryType, attribute: str, *, is_plan: bool) -> Subtype:
    """What kind it is; an ordinary plan under no attribute that is known is an event, and over after its day."""
    if is_plan and kind is not MemoryType.GOAL and member.importance < _DURABLE_IMPORTANCE and not is_known(attribute):
        return Subtype.EVENT
    return subtype_of(attribute) or read_subtype(member.subtype, kind)


def _is_future(period: str | None, sources: GroundingSources) -> bool:
    days = days_of(period)
    return days is not None and sources.said_on is not None and days[0] > sources.said_on


def read_period(when: str, sources: GroundingSources, text: str, language: str) -> str | None:
    """The day or period in ISO where it follows from the message; any other is left out."""
    period = when.strip()
    if days_of(period) is None:
        return None
    said = [Said(one, sources.said_on) for one in (sources.unquoted_message, *sources.previous)]
    grounds = Grounds([*said, Said(text)], language=language)
    return None if unsupported_dates(period.replace("/", " "), grounds) else period
