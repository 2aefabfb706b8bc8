"""A rule, and the candidate that it makes of a clause: key and value as slugs, the text in the third person."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation
from keepsake.domain.english.phrase_slugs import clean_phrase, phrase_slug, title_case_name
from keepsake.domain.english.third_person import capitalize, correct_articles, third_person, to_third_person_pronouns
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.statements.checks import Check
from keepsake.domain.reading.statements.forms import RuleForms, SaidWords
from keepsake.domain.text import find_original, has_forbidden_characters, slug, truncate_words

_PERSON = "person"
_ARTICLES = ("the", "a", "an")
_KINDS = ("kind", "kinds", "type", "types", "sort", "sorts", "style", "styles", "genre", "genres")
_SAID_AT_FRONT = ("now", "currently", "this", "today")
"""What stands before a clause and is left out of its text, which has a date."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Ways of saying something, and what to make of it.

    ``key`` and ``value`` are templates that are filled with slugs, ``text`` and ``entity_label`` with words. Without
    ``text``, the clause is written in the third person. Each of the ``checks`` may refuse what only looks right.
    """

    name: str
    """The table and the number in it, for people to find it."""
    forms: RuleForms
    key: str
    subtype: Subtype
    finds: tuple[str, ...]
    """Messages in which this rule finds something, and those in which it must not."""
    ignores: tuple[str, ...]
    value: str = "yes"
    text: str = ""
    type: MemoryType = MemoryType.FACT
    confidence: float = 0.7
    importance: int = 1
    checks: tuple[Check, ...] = ()
    retracts: bool = False
    corrects: bool = False
    only_if_value_unknown: bool = False
    """Adds a value, but replaces none unless the message introduces its author ("I'm Paul" may be a joke)."""
    entity_label: str = ""
    is_about_relative: bool = False
    """The memory is about the relative that the form names, not about the author."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The English words for those that its language has for relatives and the like."""

    def read(self, words: SaidWords, clause: Clause) -> Candidate | None:
        """The candidate of a clause with these words; None where none of the forms fits, or a check refuses it."""
        for values in words.match(self.forms.forms):
            if all(check(values, clause) for check in self.checks):
                return self._candidate(values, clause)
        return None

    def _candidate(self, values: Mapping[str, str], clause: Clause) -> Candidate:
        slugs = _slugs({name: self.terms.get(value.lower(), value) for name, value in values.items()})
        words = defaultdict(str, {name: _as_words(name, value) for name, value in values.items()})
        words["is"] = "are" if is_plural(words["thing"].rpartition(" ")[2]) else "is"
        relative = slugs["name"] or slugs["rel"]
        corrects = self.corrects or self.retracts or clause.corrects or words["rel"].lower().startswith("new ")
        return Candidate(
            type=self.type,
            subtype=self.subtype,
            text=truncate_words(self._text(words, clause), MAX_TEXT_LENGTH),
            quote=clause.quote,
            confidence=self.confidence,
            key=self._key(slugs),
            value=self.value.format_map(slugs) or "yes",
            importance=self.importance,
            entity_type=_PERSON,
            entity_refs=(f"person:{relative}",) if self.is_about_relative else (),
            entity_label=self.entity_label.format_map(words) or None,
            retracts=self.retracts,
            corrects=corrects,
            only_if_value_unknown=self.only_if_value_unknown and not clause.has_introduction,
            why=self.name,
        )

    def _key(self, slugs: Mapping[str, str]) -> str:
        about_self = not (self.is_about_relative or self.key.startswith("self|"))
        parts = [self.type.value, _PERSON, *(["self"] if about_self else [])]
        return "|".join([*parts, self.key.format_map(slugs).strip("|_")])

    def _text(self, words: Mapping[str, str], clause: Clause) -> str:
        if self.text:
            return capitalize(correct_articles(" ".join(self.text.format_map(words).split())))
        if self.retracts:  # "my name is not Jon" leaves nothing worth keeping
            return ""
        text = third_person(clause.words)
        if name := words["name"]:  # with its capitals, however it was typed
            text = re.sub(rf"\b{re.escape(name.lower())}\b", lambda _: name, text, count=1)
        front = clause.fronted_phrase
        is_kept = front != "" and front.lower() not in _SAID_AT_FRONT
        return f"{text} ({to_third_person_pronouns(front[:1].lower() + front[1:])})" if is_kept else text


def _slugs(values: Mapping[str, str]) -> defaultdict[str, str]:
    """The slugs of what was said, and of what is put together from it; what was not said is empty."""
    slugs = defaultdict(str, {name: _as_slug(name, value) for name, value in values.items()})
    relation, name = slugs["rel"], slugs["name"]
    slugs["who"] = "|".join(filter(None, (relation, name)))
    slugs["called"] = relation if relation in SINGLE_RELATIONS else slugs["who"]
    slugs["animal"] = name or slugs["pet"]
    return slugs


def _as_slug(name: str, value: str) -> str:
    match name:
        case "rel":
            return canonical_relation(slug(value).removeprefix("other_").removeprefix("new_"))
        case "n" | "age":
            return COUNTS.get(slug(value), slug(value))
        case "name" | "place" | "pronouns" | "date" | "value":
            first, _, rest = value.partition(" ")
            return slug(rest if rest and first.lower() in _ARTICLES else value)
        case "thing":
            kind, _, thing = value.partition(" of ")
            return phrase_slug(thing if thing and kind.lower() in _KINDS else value)
    return phrase_slug(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return title_case_name(value)
    return to_third_person_pronouns(value) if name == "rest" else clean_phrase(value)


def with_original_quote(text: str, candidate: Candidate) -> Candidate | None:
    """The candidate with its quote as the text has it; None where the text has none, or one that may not be kept."""
    quote = find_original(candidate.quote, text)
    if quote is None or has_forbidden_characters(candidate.text + quote):
        return None
    return candidate if quote == candidate.quote else replace(candidate, quote=quote[:MAX_CLAUSE_LENGTH])
