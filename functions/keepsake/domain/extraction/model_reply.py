"""Checks what a language model's reply states: a memory that is invalid is dropped with a reason.

The reply is not trusted: types, lengths, characters and confidence are checked, and each memory must be grounded in the
person's own words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from keepsake.domain.english.third_person import third_person
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.extraction.attributes import has_several_values
from keepsake.domain.extraction.believed_forget import believed_forget
from keepsake.domain.extraction.believed_member import (
    DEFAULT_LANGUAGE,
    MAX_QUOTE_LENGTH,
    believed_candidate,
    check_contract,
    read_period,
    statement_language,
)
from keepsake.domain.extraction.derive_memory_key import SELF, Slot, derive_key, is_negation, subject_slug
from keepsake.domain.extraction.evidence import is_in_first_person
from keepsake.domain.extraction.grounding import GroundingSources, grounding_error
from keepsake.domain.extraction.member_fields import (
    InvalidMember,
    one_line,
    read_confidence,
    read_entity,
    read_subtype,
    read_transits,
    read_type,
)
from keepsake.domain.extraction.reply_schema import ReplyMemory, ReplyTodo, parse_members
from keepsake.domain.extraction.resolve_memory_number import find_related, has_same_subject
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import Candidate, Memory, Relation
from keepsake.domain.reading.clauses import normalize_clause
from keepsake.domain.reading.message import is_unreadable
from keepsake.domain.replies.read_object import ReplyText
from keepsake.domain.screening.instructions import addresses_model
from keepsake.domain.text import clean_text, has_forbidden_characters, words

MAX_MEMBERS = 25
"""Memories of one reply that are read; a turn stores few of them."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The candidates of a reply, how many memories were dropped for which reason, and what was repaired."""

    candidates: tuple[Candidate, ...]
    dropped: Counter[str]
    repairs: frozenset[str] = frozenset()
    refused_quotes: tuple[str, ...] = ()
    """The quotes of statements that were refused."""
    todos: tuple[ReplyTodo, ...] = ()
    forget: tuple[Memory, ...] = ()
    """The known memories that the message asks to forget."""
    language: str = ""
    """The language of the message, as the model names it."""


def read_reply(reply: ReplyText | str, sources: GroundingSources) -> ParsedReply:
    """The valid memories of a reply; raises InvalidReply where it has no single meaning."""
    parsed = parse_members(reply)
    members, dropped = parsed.memories, parsed.dropped
    read_member = believed_candidate if sources.verdict is Verdict.GOOD else _candidate
    found: list[Candidate] = []
    refused: list[str] = []
    if len(members) > MAX_MEMBERS:
        dropped["too_many"] = len(members) - MAX_MEMBERS
    for member in members[:MAX_MEMBERS]:
        try:
            candidate = read_member(member, sources, parsed.language)
        except InvalidMember as fault:
            dropped[fault.reason] += 1
            refused.append(member.quote)
            continue
        if any(_is_repetition(candidate, other) for other in found):
            dropped["repeated"] += 1
        else:
            found.append(candidate)
    forget = believed_forget(parsed.forget, sources)
    return ParsedReply(tuple(found), dropped, parsed.repairs, tuple(refused), parsed.todos, forget, parsed.language)


def _is_repetition(one: Candidate, other: Candidate) -> bool:
    """Whether both have the same key and value, or without a key the same text."""
    if one.key is None or other.key is None:
        return one.text == other.text
    return (one.key, one.value, one.retracts) == (other.key, other.value, other.retracts)


def _candidate(member: ReplyMemory, sources: GroundingSources, language: str) -> Candidate:
    """The candidate; raises InvalidMember with the reason."""
    kind = read_type(member.type)
    text = _text(member.text, sources, needs_no_words=member.relation in (Relation.ENDS, Relation.DOUBTS))
    about, attribute, value = map(one_line, (member.about, member.attribute, member.value))
    quote = _quote(member.quote, sources, text, value)
    relation, memory = _related(member, sources, quote)
    many = has_several_values(attribute)
    is_english = sources.is_english_quote(quote, text)
    if is_english and not many and not sources.evidence(quote).supports_slot(attribute, value):
        attribute = ""
    slot = Slot(kind, about or SELF, attribute, value, many, relation is Relation.ENDS)
    slot = replace(slot, retracts=slot.retracts or is_negation(slot, text))
    key, stored = derive_key(slot, text)
    if memory is not None and not has_same_subject(memory, key):
        raise InvalidMember("other_subject")
    if is_english:
        _check_evidence(sources, slot, text, quote, memory)
    code = statement_language(member, sources, language)
    check_contract(member, sources, text=text, quote=quote, code=code, memories=[memory] if memory else [])
    refs, label = read_entity(member.entity, key, sources)
    return Candidate(
        type=kind,
        subtype=read_subtype(member.subtype, kind),
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
        corrects=slot.retracts or relation is Relation.REPLACES,
        transits=read_transits(member.astro_context, sources),
        relation=relation,
        related_id=memory.id if memory else None,
        period=read_period(member.when, sources, text, code),
    )


def _related(member: ReplyMemory, sources: GroundingSources, quote: str) -> tuple[Relation, Memory | None]:
    """What the statement does to which of the memories that were shown."""
    found = find_related(member.relation, next(iter(member.shown_numbers), None), sources.known, quote)
    if isinstance(found, str):
        raise InvalidMember(found)
    return found


def _check_evidence(sources: GroundingSources, slot: Slot, text: str, quote: str, memory: Memory | None) -> None:
    """Raise InvalidMember where the statement says more, or something else, than the quoted words."""
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


def _text(raw: str, sources: GroundingSources, *, needs_no_words: bool) -> str:
    text = one_line(raw)
    if is_in_first_person(text) and sources.is_english and not is_unreadable(text):
        text = third_person(normalize_clause(text).words)
    if not words(text) and not needs_no_words:
        raise InvalidMember("empty")
    if addresses_model(text):
        raise InvalidMember("instruction")
    return text
