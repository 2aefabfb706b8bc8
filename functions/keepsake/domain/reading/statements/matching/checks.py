"""Checks that refuse a match which only looks right: vague objects, requests, what is about the assistant."""

from __future__ import annotations

from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.rule import Values

_VAGUE_OBJECT = load_pattern("vague_object")
_VAGUE_HEAD = load_pattern("vague_head")
_ASSISTANT = load_pattern("assistant")
_CONVERSATION_NOUN = load_pattern("conversation_noun")
_AFTER_NOUN = load_pattern("after_noun")
_PASSING_NOUN = load_pattern("passing_noun")
_BARE_NUMBER = load_pattern("bare_number")
_PASSING_ACTIVITY = load_pattern("passing_activity")


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


def is_stopped_habit(values: Values, clause: Clause) -> bool:
    """Whether a habit was stopped, and not what the author was just doing."""
    return _PASSING_ACTIVITY.match(values.get("doing", "")) is None


def is_own_favorite(values: Values, clause: Clause) -> bool:
    """Whether it is a favorite of the author, and no compliment to the assistant."""
    kind = values.get("thing", "")
    return not (_ASSISTANT.search(f"{kind} {values.get('value', '')}") or _CONVERSATION_NOUN.search(kind))


def is_plausible_age(values: Values, clause: Clause) -> bool:
    """Whether people reach this age."""
    age = values.get("age", "")
    return not age.isdigit() or 0 < int(age) <= 120
