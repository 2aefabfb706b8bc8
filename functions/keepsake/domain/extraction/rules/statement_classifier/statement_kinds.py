"""Says what a statement is, by its subject, verb and tense: its type and subtype, its key and value, its importance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.clauses.phrase_slugs import phrase_slug
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.patterns.pattern_file import read_toml
from keepsake.domain.extraction.rules.patterns.rule_table import read_row
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.text import slug

_OVER = (Tense.PAST, Tense.PERFECT, Tense.USED_TO)


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
        is_kind = phrase.tense.value in self.tenses and (self.denied if phrase.is_negated else self.value)
        return max(lengths, default=0) if is_kind else 0

    def key_and_value(self, phrase: VerbPhrase, length: int) -> tuple[str | None, str | None]:
        """The key and value of a statement whose verb has so many words."""
        said = " ".join(phrase.rest[length - 1 :]).removesuffix(" now")
        what = phrase_slug(said)
        value = self.denied if phrase.is_negated else self.value
        key = self.key.format(verb=phrase.verb, what=what).strip("_")
        if not (key and value) or key.endswith("|"):
            return None, None
        return f"{self.type.value}|person|self|{key}", value.format(what=slug(said))


def _read_kind(row: Mapping[str, Any]) -> StatementKind:
    kind = MemoryType(row.get("type", MemoryType.FACT))
    return read_row(StatementKind, row, type=kind, subtype=Subtype(row["subtype"]))


_KINDS = tuple(map(_read_kind, read_toml("data/statement_kinds.toml", __package__)["kind"]))
_HABIT = StatementKind(Subtype.HABIT, MemoryType.PATTERN, key="habit|{verb}_{what}", value="yes")
_AVOIDANCE = StatementKind(Subtype.PREFERENCE, key="avoids|{verb}_{what}", denied="yes", importance=2)
_PLAN = StatementKind(Subtype.EVENT)
_IDENTITY = StatementKind(Subtype.IDENTITY, importance=2)
_OF_OTHERS = {
    Subject.CLOSE: StatementKind(Subtype.RELATIONSHIP, MemoryType.RELATIONSHIP, importance=2),
    Subject.OWN: StatementKind(Subtype.POSSESSION, importance=2),
}
"""What has no key is told a first context, which shows who the person is in words of their own."""


def kind_of(words: str, phrase: VerbPhrase | None) -> tuple[StatementKind, int]:
    """What a statement is, and how many words its verb has; a plan where it names a day to come."""
    if names_day(words) and not (phrase is not None and phrase.tense in _OVER):
        return _PLAN, 1
    if phrase is None or phrase.subject is not Subject.AUTHOR:
        return _OF_OTHERS.get(phrase.subject, _IDENTITY) if phrase else _IDENTITY, 1
    length, kind = max(((kind.length(phrase), kind) for kind in _KINDS), key=lambda found: found[0])
    if length:
        return kind, length
    if phrase.tense is not Tense.PRESENT:
        return _PLAN if phrase.tense is Tense.FUTURE else _IDENTITY, 1
    return _AVOIDANCE if phrase.is_negated else _HABIT, 1
