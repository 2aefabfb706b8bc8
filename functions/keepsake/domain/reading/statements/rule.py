"""A rule, and the candidate that it makes of a match: key and value as slugs, the text in the third person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.phrase_slugs import clean_phrase, phrase_slug, title_case_name
from keepsake.domain.english.third_person import capitalize, correct_articles, third_person, to_third_person_pronouns
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.statements.checks import Check
from keepsake.domain.text import find_original, has_forbidden_characters, slug, truncate_words

DERIVED_PARTS = frozenset({"who", "called", "animal", "is"})
"""What templates may name besides the groups of their pattern."""
_ADVERBS_AFTER_I = load_pattern("adverbs_after_i")
_PERSON = "person"
_ARTICLES = ("the", "a", "an")
_KINDS = ("kind", "kinds", "type", "types", "sort", "sorts", "style", "styles", "genre", "genres")
_SAID_AT_FRONT = ("now", "currently", "this", "today")
"""What stands before a clause and is left out of its text, which has a date."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something: its pattern, and what to make of its named groups.

    ``key`` and ``value`` are templates that are filled with slugs, ``text`` and ``entity_label`` with words. Without
    ``text``, the clause is written in the third person. Each of the
    ``checks`` may refuse a match that only looks right.
    """

    name: str
    """The table and the number in it, for people to find it."""
    pattern: re.Pattern[str]
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
    """The memory is about the relative that the pattern names, not about the author."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The English words for those that its language has for relatives and the like."""


def build_candidate(rule: Rule, values: dict[str, str], clause: Clause) -> Candidate:
    """The candidate that a rule makes of the named groups it found in a clause."""
    slugs = _slug_parts({name: rule.terms.get(value.lower(), value) for name, value in values.items()})
    words = _word_parts(values)
    relative = slugs["name"] or slugs["rel"]
    value = rule.value.format_map(slugs)
    return Candidate(
        type=rule.type,
        subtype=rule.subtype,
        text=_text(rule, words, clause),
        quote=clause.quote,
        confidence=rule.confidence,
        key=_key(rule, slugs),
        value=value or "yes",
        importance=rule.importance,
        entity_type=_PERSON,
        entity_refs=(f"person:{relative}",) if rule.is_about_relative else (),
        entity_label=rule.entity_label.format_map(words) or None,
        retracts=rule.retracts,
        corrects=rule.corrects or rule.retracts or clause.corrects or values.get("rel", "").lower().startswith("new "),
        only_if_value_unknown=rule.only_if_value_unknown and not clause.has_introduction,
        why=rule.name,
    )


def _key(rule: Rule, slugs: dict[str, str]) -> str:
    about_self = not (rule.is_about_relative or rule.key.startswith("self|"))
    parts = [rule.type.value, _PERSON, *(["self"] if about_self else [])]
    return "|".join([*parts, rule.key.format_map(slugs).strip("|_")])


class _Parts(dict[str, str]):
    """The values of a template; a part that was not said is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _slug_parts(values: dict[str, str]) -> _Parts:
    slugs = _Parts({name: _as_slug(name, value) for name, value in values.items()})
    relation, name = slugs["rel"], slugs["name"]
    slugs["who"] = "|".join(part for part in (relation, name) if part)
    slugs["called"] = relation if relation in SINGLE_RELATIONS else slugs["who"]
    slugs["animal"] = name or slugs["pet"]
    return slugs


def _word_parts(values: dict[str, str]) -> _Parts:
    words = _Parts({name: _as_words(name, value) for name, value in values.items()})
    words["is"] = "are" if is_plural((words["thing"] or words["object"]).rpartition(" ")[2]) else "is"
    return words


def _as_slug(name: str, value: str) -> str:
    match name:
        case "rel":
            return canonical_relation(slug(value).removeprefix("other_").removeprefix("new_"))
        case "n" | "age":
            return COUNTS.get(slug(value), slug(value))
        case "name" | "place" | "pronouns" | "date" | "value" | "rest":
            return slug(_without_article(value))
        case "thing":
            kind, _, thing = value.partition(" of ")
            value = thing if thing and kind.lower() in _KINDS else value
    return phrase_slug(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return title_case_name(value)
    return to_third_person_pronouns(value) if name == "rest" else clean_phrase(value)


def _without_article(value: str) -> str:
    first, _, rest = value.partition(" ")
    return rest if rest and first.lower() in _ARTICLES else value


def _text(rule: Rule, words: _Parts, clause: Clause) -> str:
    if rule.retracts and not rule.text:  # "my name is not Jon" leaves nothing worth keeping
        return ""
    if rule.text:
        text = capitalize(correct_articles(" ".join(rule.text.format_map(words).split())))
    else:
        text = third_person(_ADVERBS_AFTER_I.sub(r"\1 ", clause.words))
        if name := words["name"]:  # with its capitals, however it was typed
            text = re.sub(rf"\b{re.escape(name.lower())}\b", lambda _: name, text, count=1)
        if clause.fronted_phrase and clause.fronted_phrase.lower() not in _SAID_AT_FRONT:
            text = f"{text} ({to_third_person_pronouns(clause.fronted_phrase[:1].lower() + clause.fronted_phrase[1:])})"
    return truncate_words(text, MAX_TEXT_LENGTH)


def with_original_quote(text: str, candidate: Candidate) -> Candidate | None:
    """The candidate with its quote as the text has it; None where the text has none, or one that may not be kept."""
    quote = find_original(candidate.quote, text)
    if quote is None or has_forbidden_characters(candidate.text + quote):
        return None
    return candidate if quote == candidate.quote else replace(candidate, quote=quote[:MAX_CLAUSE_LENGTH])
