"""Says what a statement is, by its subject, verb and tense: its type and subtype, its key and value, its importance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.english.patterns.pattern_file import read_row, read_toml
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.entities.parse_relative import Relative, parse_relative
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.text import slug

_OVER = (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
_STATES = ("be", "have")
_REGULAR = re.compile(r"\b(?:every|each) (?:\w+ )?\w+", re.IGNORECASE)
_WEEKDAY = re.compile(rf"(?<!next )(?<!this )\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatementKind:
    """What a statement of the author is, by its verb; ``key``, ``value`` and ``denied`` are templates of its words."""

    subtype: Subtype
    type: MemoryType = MemoryType.FACT
    verbs: tuple[str, ...] = ()
    """Verbs, each perhaps with the words behind it."""
    tenses: tuple[str, ...] = (Tense.PRESENT.value, Tense.PROGRESSIVE.value)
    key: str = ""
    value: str = ""
    denied: str = ""
    """The value where it is negated; without one it has no key."""
    importance: int = 1

    def length(self, phrase: VerbPhrase) -> int:
        """How many words of a statement, from its verb on, are the verb; 0 where it is of another kind."""
        said = (phrase.verb, *phrase.rest)
        lengths = [len(words) for verb in self.verbs if said[: len(words := verb.split())] == tuple(words)]
        if self.subtype is Subtype.POSSESSION and phrase.rest[:1] == ("to",):  # "I have to go", "I drive to work"
            return 0
        is_kind = phrase.tense.value in self.tenses and (self.denied if phrase.is_negated else self.value)
        return max(lengths, default=0) if is_kind else 0

    def key_and_value(self, phrase: VerbPhrase, length: int) -> tuple[str | None, str | None]:
        """The key and value of a statement whose verb has so many words."""
        said = " ".join(phrase.rest[length - 1 :]).removesuffix(" now")
        value = self.denied if phrase.is_negated else self.value
        done, owner = phrase_slug(" ".join((phrase.verb, *phrase.rest))), phrase_slug(phrase.owner)
        key = self.key.format(what=phrase_slug(said), done=done, verb=phrase.verb, owner=owner)
        value = value.format(what=slug(said))
        if not (key and value) or key.endswith("|"):
            return None, None
        whose = _relative(phrase).key(key) if phrase.subject is Subject.CLOSE else f"self|{key}"
        return f"{self.type.value}|person|{whose}", value


def _read_kind(row: Mapping[str, Any]) -> StatementKind:
    kind = MemoryType(row.get("type", MemoryType.FACT))
    return read_row(StatementKind, row, type=kind, subtype=Subtype(row["subtype"]))


def _relative(phrase: VerbPhrase) -> Relative:
    """Whom a statement about somebody close is about."""
    return parse_relative(phrase.owner.removeprefix("my ").removeprefix("our "))


_KINDS = tuple(map(_read_kind, read_toml("data/statement_kinds.toml", __package__)["kind"]))
_HABIT = StatementKind(Subtype.HABIT, MemoryType.PATTERN, key="habit|{done}", value="yes")
_AVOIDANCE = StatementKind(Subtype.PREFERENCE, key="avoids|{done}", denied="yes", importance=2)
_PLAN = StatementKind(Subtype.EVENT, key="plan|{done}", value="yes")
_OF_CLOSE = StatementKind(Subtype.RELATIONSHIP, MemoryType.RELATIONSHIP, key="{done}", value="yes", importance=2)
_OCCASION = StatementKind(Subtype.EVENT, key="when|{owner}", value="{what}")
_OF_OWN = StatementKind(Subtype.POSSESSION, importance=2)
_IDENTITY = StatementKind(Subtype.IDENTITY, importance=2)
"""What has no key is told a first context, which shows who the person is in words of their own."""


def kind_of(words: str, phrase: VerbPhrase | None) -> tuple[StatementKind, int]:
    """What a statement is, and how many words its verb has; a plan where it names a day to come."""
    is_plan = _names_day_to_come(words, phrase)
    if phrase is None or phrase.subject is not Subject.AUTHOR:
        kind = {Subject.CLOSE: _OF_CLOSE, Subject.OWN: _OF_OWN}.get(phrase.subject, _IDENTITY) if phrase else _IDENTITY
        if is_plan and phrase and kind is not _OF_CLOSE and phrase.verb == "be" and phrase.owner.startswith("my "):
            return _OCCASION, 1
        return replace(kind, subtype=Subtype.EVENT, importance=1) if is_plan else kind, 1
    length, kind = max(((kind.length(phrase), kind) for kind in _KINDS), key=lambda found: found[0])
    if is_plan and (not length or phrase.verb in _STATES):
        return _PLAN, 1
    if length:
        return kind, length
    if phrase.is_negated and phrase.tense in (Tense.PRESENT, Tense.ABILITY):
        return _AVOIDANCE, 1
    return {Tense.PRESENT: _HABIT, Tense.FUTURE: _PLAN}.get(phrase.tense, _IDENTITY), 1


def _names_day_to_come(words: str, phrase: VerbPhrase | None) -> bool:
    """Whether a statement names a day to come; what is done on weekdays is mostly done every week."""
    if phrase is not None and phrase.tense in _OVER:
        return False
    is_habit = phrase is not None and phrase.tense is Tense.PRESENT and phrase.verb not in _STATES
    said = _REGULAR.sub("", words)
    return names_day(_WEEKDAY.sub("", said) if is_habit else said)
