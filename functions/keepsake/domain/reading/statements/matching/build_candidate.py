"""Builds a candidate from a rule and the groups of its match: key and value as slugs, the text in the third person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.inflection import base_phrase, is_plural
from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.phrase_slugs import clean_phrase, phrase_slug, place_name, title_case_name
from keepsake.domain.english.third_person import capitalize, correct_articles, third_person, to_third_person_pronouns
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.rule import Rule
from keepsake.domain.text import slug, truncate_words

DERIVED_PARTS = frozenset({"who", "called", "animal", "unit", "moved", "is"})
"""What templates may name besides the groups of their pattern."""
_KEYS_OF_PLACES = frozenset({"home", "hometown", "birthplace"})
_ADVERBS_AFTER_I = load_pattern("adverbs_after_i")
_PERSON = "person"
_ARTICLES = ("the", "a", "an")
_KINDS = ("kind", "kinds", "type", "types", "sort", "sorts", "style", "styles", "genre", "genres")
_SAID_AT_FRONT = ("now", "currently", "this", "today")
"""What stands before a clause and is left out of its text, which has a date."""


def build_candidate(rule: Rule, values: dict[str, str], clause: Clause) -> Candidate:
    """The candidate that a rule makes of the named groups it found in a clause."""
    slugs = _slug_parts({name: rule.terms.get(value.lower(), value) for name, value in values.items()})
    words = _word_parts(values)
    if words["place"] and rule.key.rpartition("|")[2] in _KEYS_OF_PLACES:
        words["place"] = place_name(words["place"])
    relative = slugs["name"] or slugs["rel"]
    value = rule.value.format_map(slugs)
    key = _key(rule, slugs)
    if clause.is_addition and rule.allows_second_value and value:
        key = f"{key}|{value}"
    return Candidate(
        type=rule.type,
        subtype=rule.subtype,
        text="" if rule.text_optional else _text(rule, words, clause),
        quote=clause.quote,
        confidence=rule.confidence,
        key=key,
        value=value or "yes",
        importance=rule.importance,
        entity_type=_PERSON,
        entity_refs=(f"person:{relative}",) if rule.is_about_relative else (),
        entity_label=rule.entity_label.format_map(words) or None,
        retracts=rule.retracts,
        corrects=rule.corrects or rule.retracts or clause.corrects or values.get("rel", "").lower().startswith("new "),
        only_if_subject_known=rule.only_if_subject_known,
        only_if_value_unknown=rule.only_if_value_unknown,
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
    if slugs["rel"] and not slugs["name"] and values["rel"].lower().startswith("other "):
        slugs["rel"] = f"other_{slugs['rel']}"  # nobody of whom something is known already
    relation, name = slugs["rel"], slugs["name"]
    slugs["who"] = "|".join(part for part in (relation, name) if part)
    slugs["called"] = relation if relation in SINGLE_RELATIONS else slugs["who"]
    slugs["animal"] = name or slugs["pet"]
    return slugs


def _word_parts(values: dict[str, str]) -> _Parts:
    words = _Parts({name: _as_words(name, value) for name, value in values.items()})
    if words["rel"] and not words["name"] and values["rel"].lower().startswith("other "):
        words["rel"] = f"other {words['rel']}"
    words.setdefault("unit", "years")
    words["moved"] = f", moved from {words['old']}" if "old" in words else ""
    words["is"] = "are" if is_plural((words["thing"] or words["object"]).rpartition(" ")[2]) else "is"
    return words


def _as_slug(name: str, value: str) -> str:
    match name:
        case "rel":
            return canonical_relation(slug(value).removeprefix("other_").removeprefix("new_"))
        case "n" | "age":
            return COUNTS.get(slug(value), slug(value))
        case "name" | "place" | "pronouns" | "date" | "value" | "rest":
            return slug(_without_first(value, _ARTICLES))
        case "doing":
            value = base_phrase(value)
        case "job":
            value = re.split(r" (?:in|at|for|on|with|who|by|from|of my|of a) ", value, maxsplit=1)[0]
        case "thing":
            kind, _, thing = value.partition(" of ")
            value = thing if thing and kind.lower() in _KINDS else value
    return phrase_slug(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return title_case_name(value)
    if name == "rel":
        return clean_phrase(_without_first(value, ("other",)))
    if name == "unit":
        return f"{value.rstrip('s')}s"
    return to_third_person_pronouns(value) if name == "rest" else clean_phrase(value)


def _without_first(value: str, words: Sequence[str]) -> str:
    """The value without its first word, where that is one of these and not all of it."""
    first, _, rest = value.partition(" ")
    return rest if rest and first.lower() in words else value


def _text(rule: Rule, words: _Parts, clause: Clause) -> str:
    if rule.text:
        text = capitalize(correct_articles(" ".join(rule.text.format_map(words).split())))
    else:
        text = third_person(_ADVERBS_AFTER_I.sub(r"\1 ", clause.words))
        if name := words["name"]:  # with its capitals, however it was typed
            text = re.sub(rf"\b{re.escape(name.lower())}\b", lambda _: name, text, count=1)
        text = text.replace(words["place"].lower(), words["place"], 1)
        if clause.fronted_phrase and clause.fronted_phrase.lower() not in _SAID_AT_FRONT:
            text = f"{text} ({to_third_person_pronouns(clause.fronted_phrase[:1].lower() + clause.fronted_phrase[1:])})"
    return truncate_words(text, MAX_TEXT_LENGTH)
