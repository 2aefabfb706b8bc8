"""The rules of a language, from ``languages/``: the first whose forms fit a clause makes a candidate of it.

Its key and value are slugs, its text is in the third person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import SkipValidation
from pydantic.dataclasses import dataclass

from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation
from keepsake.domain.english.patterns.pattern_file import ROW, Examples, load_pattern, read_toml
from keepsake.domain.english.patterns.phrase_forms import Form
from keepsake.domain.english.phrase_slugs import clean_phrase, phrase_slug, title_case_name
from keepsake.domain.english.third_person import (
    capitalize,
    correct_articles,
    in_singular,
    third_person,
    to_third_person_pronouns,
)
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.statements.forms import SaidWords, form_reader
from keepsake.domain.reading.statements.read_kind import ASSISTANT
from keepsake.domain.reading.statements.statement_candidate import breaks_off, certain_candidate
from keepsake.domain.reading.statements.statement_kinds import type_and_subtype
from keepsake.domain.text import normalize_apostrophes, slug, truncate_words

_ADVERBS = load_pattern("adverbs_around_verb")
_ARTICLES = ("the", "a", "an")


@dataclass(frozen=True, slots=True, config=ROW)
class Rule:
    """Ways of saying something, and what to make of it.

    ``key`` and ``value`` are templates that are filled with slugs, ``text`` with words. Without ``text``, the clause is
    written in the third person.
    """

    name: str
    """The table and the number in it, for people to find it."""
    forms: SkipValidation[Sequence[Form]]
    lists: SkipValidation[Mapping[str, Sequence[Form]]]
    """The lists of its language, which its forms name."""
    terms: SkipValidation[Mapping[str, str]]
    """The English words for those that its language has for relatives and the like."""
    type: MemoryType
    subtype: Subtype
    key: str
    finds: Examples
    """Messages in which this rule finds something, and those in which it must not."""
    ignores: Examples
    value: str = "yes"
    text: str = ""
    confidence: float = 0.7
    importance: int = 2
    retracts: bool = False
    corrects: bool = False
    is_introduction: bool = False
    """It needs an introduction, or is one alone ("I'm Paul"): that may be a joke, and replaces no value."""
    is_said_first: bool = False
    """It stands in the first sentence, before anybody else is spoken of."""
    is_about_relative: bool = False
    """The memory is about the relative that the form names, not about the author."""

    def read(self, said: SaidWords, clause: Clause) -> Candidate | None:
        """The candidate of a clause with these words; None where none of the forms fits."""
        values = next(said.match(self.forms), None)
        if values is None or ASSISTANT.search(f"{values.get('thing')} {values.get('value')}"):
            return None
        name, is_first = values.get("name", ""), clause.sentence == 0 and not clause.is_embedded
        is_alone = is_first and name.istitle() and normalize_apostrophes(clause.quote) == f"I'm {name}"
        lacks_introduction = self.is_introduction and not (clause.has_introduction or is_alone)
        is_refused = lacks_introduction or (self.is_said_first and not is_first)
        return None if is_refused else self._candidate(values, clause)

    def _candidate(self, values: Mapping[str, str], clause: Clause) -> Candidate:
        in_english = {name: self.terms.get(value.lower(), value) for name, value in values.items()}
        slugs = defaultdict(str, {name: _as_slug(name, value) for name, value in in_english.items()})
        relation, name = slugs["rel"], slugs["name"]
        slugs["who"] = "|".join(filter(None, (relation, name)))
        slugs["called"] = relation if relation in SINGLE_RELATIONS else slugs["who"]
        slugs["animal"] = name or slugs["pet"]
        words = defaultdict(str, {name: _as_words(name, value) for name, value in values.items()})
        words["is"] = "are" if is_plural(words["thing"].rpartition(" ")[2]) else "is"
        filled = capitalize(correct_articles(" ".join(self.text.format_map(words).split())))
        text = filled if self.text or self.retracts else third_person(clause.words)
        about = () if self.is_about_relative or self.key.startswith("self|") else ("self",)
        return Candidate(
            type=self.type,
            subtype=self.subtype,
            text=truncate_words(text, MAX_TEXT_LENGTH),
            quote=clause.quote,
            confidence=self.confidence,
            key="|".join((self.type.value, "person", *about, self.key.format_map(slugs).strip("|_"))),
            value=self.value.format_map(slugs) or "yes",
            importance=self.importance,
            entity_type="person",
            entity_refs=(f"person:{name or relation}",) if self.is_about_relative else (),
            entity_label=words["name"] or None,
            retracts=self.retracts,
            corrects=self.corrects or clause.corrects or words["rel"].lower().startswith("new "),
            only_if_value_unknown=self.is_introduction and not clause.has_introduction,
            why=self.name,
        )


def _as_slug(name: str, value: str) -> str:
    match name:
        case "rel":
            return canonical_relation(slug(value).removeprefix("other_").removeprefix("new_"))
        case "n":
            return COUNTS.get(slug(value), slug(value))
        case "name" | "place" | "pronouns" | "date" | "value" | "age":
            first, _, rest = value.partition(" ")
            return slug(rest if rest and first.lower() in _ARTICLES else value)
    return phrase_slug(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return title_case_name(value)
    return to_third_person_pronouns(value) if name == "rest" else clean_phrase(value)


@cache
def load_rules(language: str = ENGLISH) -> tuple[Rule, ...]:
    """All rules of a language, in the order in which they are tried."""
    return read_rules("statements", read_toml(f"languages/{language}/statements.toml", __package__))


def read_rules(name: str, table: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of a table: a list ``rule``, ``lists`` that its forms name, and perhaps ``terms`` for keys and values.

    Raises ValueError, with the place of what is wrong.
    """
    if unknown := table.keys() - {"lists", "rule", "terms"}:
        raise ValueError(f"{name}: unknown names {sorted(unknown)}")
    place, rows, terms = name, table.get("rule", ()), table.get("terms", {})
    rules: list[Rule] = []
    try:
        reader = form_reader(table.get("lists", {}), rows)
        lists = {entry: reader.read(forms) for entry, forms in table.get("lists", {}).items()}
        for number, row in enumerate(rows, start=1):
            place = f"{name} {number} ({row.get('key', 'without a key')})"
            kind = type_and_subtype(row, is_about_close=row.get("is_about_relative", False))
            read = {"name": place, "forms": reader.read(row["forms"]), "lists": lists, "terms": terms}
            rules.append(Rule(**{**row, **read, **kind}))
    except (KeyError, ValueError) as fault:
        raise ValueError(f"{place}: {fault}") from fault
    return tuple(rules)


def from_clause(clause: Clause) -> Candidate | None:
    """The candidate of what a clause is by its verb, or of the first rule that fits it; None where no rule does."""
    if breaks_off(clause.words):
        return None
    bare = replace(clause, words=_without_adverbs(clause.words))
    single = replace(bare, words=_without_adverbs(in_singular(bare.words)))
    return certain_candidate(bare) or first_candidate(load_rules(), single)


def first_candidate(rules: Sequence[Rule], clause: Clause) -> Candidate | None:
    """The candidate of the first of the rules of a language that fits a clause."""
    said = SaidWords(clause.words, rules[0].lists)
    return next(filter(None, (rule.read(said, clause) for rule in rules)), None)


def _without_adverbs(said: str) -> str:
    """The clause without adverbs after "I", and after an auxiliary."""
    return _ADVERBS.sub(r"I \g<auxiliary>", said)
