"""Checks that refuse a match which only looks right: vague objects, requests, what is about the assistant."""

from __future__ import annotations

from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.grammar.verb_phrase import read_verb_phrase
from keepsake.domain.extraction.rules.matching.rule import Values
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern

_VAGUE_OBJECT = load_pattern("vague_object")
_VAGUE_HEAD = load_pattern("vague_head")
_SUGGESTION = load_pattern("suggestion")
_ASSISTANT = load_pattern("assistant")
_CONVERSATION_NOUN = load_pattern("conversation_noun")
_AFTER_NOUN = load_pattern("after_noun")
_PASSING_NOUN = load_pattern("passing_noun")
_BARE_NUMBER = load_pattern("bare_number")
_ERRAND = load_pattern("errand")
_POLITENESS = load_pattern("politeness")
_TRANSACTION = load_pattern("transaction")
_TURNING_POINT = load_pattern("turning_point")
_PASSING_DESCRIPTION = load_pattern("passing_description")


def is_without_request(values: Values, clause: Clause) -> bool:
    """Whether the clause is stated for its own sake, and does not lead up to a request."""
    return not clause.has_request


def is_specific_object(values: Values, clause: Clause) -> bool:
    """Whether the object says something by itself, and is not about the assistant."""
    phrase = (values.get("object") or values.get("place") or "").strip()
    if not phrase or _VAGUE_OBJECT.match(phrase) or _ASSISTANT.search(phrase):
        return False
    return not (_VAGUE_HEAD.search(phrase) and clause.has_request) and not _VAGUE_HEAD.fullmatch(phrase)


def is_durable_noun(values: Values, clause: Clause) -> bool:
    """Whether the object is something that one has or is for a while."""
    phrase = _AFTER_NOUN.split(values.get("object", ""), maxsplit=1)[0].strip()
    if not phrase or _BARE_NUMBER.fullmatch(phrase) or _PASSING_NOUN.search(phrase):
        return False
    return is_specific_object(values, clause)


def is_own_favorite(values: Values, clause: Clause) -> bool:
    """Whether it is a favorite of the author, and no compliment to the assistant."""
    kind = values.get("thing", "")
    return not (_ASSISTANT.search(f"{kind} {values.get('value', '')}") or _CONVERSATION_NOUN.search(kind))


def is_taste_not_suggestion(values: Values, clause: Clause) -> bool:
    """Whether it is a taste; "I like the idea of …" only answers a suggestion."""
    return is_specific_object(values, clause) and _SUGGESTION.match(values.get("object", "")) is None


def is_long_term_goal(values: Values, clause: Clause) -> bool:
    """Whether it is a goal for a while, and not the errand of the moment."""
    return is_specific_object(values, clause) and _ERRAND.search(values.get("object", "")) is None


def is_feeling_not_politeness(values: Values, clause: Clause) -> bool:
    """Whether it is a feeling, and no politeness ("I'm good, thanks", "I'm sorry", "I'm happy to help")."""
    return _POLITENESS.search(clause.words) is None and not _ASSISTANT.search(clause.words)


def is_personal_event(values: Values, clause: Clause) -> bool:
    """Whether it happened in the author's life, and is no transaction or technical problem."""
    return _TRANSACTION.search(values.get("object", "")) is None


def is_durable_description(values: Values, clause: Clause) -> bool:
    """Whether it describes who somebody is, and not what they just did or said."""
    description = values.get("object", "")
    phrase = read_verb_phrase(clause.words)
    if phrase is not None and phrase.is_momentary:
        return False
    return _TURNING_POINT.match(description) is not None or _PASSING_DESCRIPTION.match(description) is None


def is_plausible_age(values: Values, clause: Clause) -> bool:
    """Whether people reach this age."""
    age = values.get("age", "")
    return not age.isdigit() or 0 < int(age) <= 120
