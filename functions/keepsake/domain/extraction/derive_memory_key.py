"""Derives the memory key and value of a model's statement, equal to those that the rules give the same statement."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.entities.parse_relative import Relative, parse_relative
from keepsake.domain.extraction.attributes import MULTI_VALUED, SINGLE_VALUED, canonical_attribute, has_one_value
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.statements import key_of
from keepsake.domain.text import slug

SELF = "self"
_LIKING_VALUES = {"like": "like", "love": "like", "enjoy": "like", "dislike": "dislike", "hate": "dislike"}
_OF_RELATIVES = frozenset({"age", "home", "occupation", "name"})
_FREE_TEXT = frozenset({"is", "habit", "work"})
_TYPE_OF = {"pet": "relationship", "goal": "goal", "feeling": "emotion", "habit": "pattern"}
_NOWADAYS = re.compile(r" (?:any ?more|any longer|now|nowadays|these days)[.!]?\Z", re.IGNORECASE)
_OWNER = re.compile(rf"(?:their |(?:the )?user's |my )?(?P<rel>{RELATIONS})(?:'s|'?s name)? (?!and )\w", re.IGNORECASE)
_REASON_CLAUSE = re.compile(r",| (?:because|since|but|so|as) ")
_NEGATION = re.compile(r"(?:\S+ ){0,3}?(?:not|no longer|never|\w+n't)\b", re.IGNORECASE)
_MAX_KEY, _MAX_PART = 300, 80


@dataclass(frozen=True, slots=True)
class Slot:
    """The attribute and value that a model gives its statement."""

    type: MemoryType
    about: str
    attribute: str
    value: str
    is_many: bool = False
    retracts: bool = False


def derive_key(slot: Slot, text: str) -> tuple[str | None, str | None]:
    """The key and value that the rules give the statement, or else those made from the model's attribute."""
    if subject_slug(slot.about) == SELF and (whose := _OWNER.match(text)):
        slot = replace(slot, about=whose["rel"])
    model_key = _model_key(slot)
    rule_key = None if slot.retracts else key_of(_NOWADAYS.sub("", text))
    if rule_key is not None and rule_key[0].startswith(f"{model_key[0]}_"):
        rule_key = key_of(_REASON_CLAUSE.split(text)[0]) or rule_key  # ", found out the hard way" is no part of it
    if rule_key is not None and not (model_key[0] and _is_more_specific(model_key[0], rule_key)):
        return rule_key
    return model_key


def is_negation(slot: Slot, text: str) -> bool:
    """Whether the sentence only negates the value of a single-valued attribute ("does not live in Rome")."""
    single = has_one_value(slot.attribute) or slug(slot.attribute).startswith("favorite_")
    clause = _REASON_CLAUSE.split(text)[0]
    return single and _NEGATION.match(clause) is not None and slug(slot.value) in slug(clause)


def subject_slug(about: str) -> str:
    """The slug of the subject of a statement: ``self``, or a relation."""
    slug_of_subject = slug(about)[:_MAX_PART]
    if slug_of_subject in {"", SELF, "me", "i", "user", "the_user", "person", "the_person", "author"}:
        return SELF
    return parse_relative(about).relation[:_MAX_PART]


def _model_key(slot: Slot) -> tuple[str | None, str | None]:
    """The key and value made from the model's attribute and value."""
    attribute = slug(slot.attribute)
    attribute = canonical_attribute(attribute)
    if not attribute:
        return None, None
    owner = subject_slug(slot.about)
    what, value = _key_tail(attribute.removesuffix("s") if attribute in {"likes", "dislikes"} else attribute, slot)
    kind = "relationship" if owner != SELF else _TYPE_OF.get(attribute, slot.type.value if slot.is_many else "fact")
    whose = f"{SELF}|{what}" if owner == SELF else _of_relative(slot, attribute, what, value)
    key = f"{kind}|person|{whose}".rstrip("|")
    return (key, value) if len(key) <= _MAX_KEY else (None, None)


def _of_relative(slot: Slot, attribute: str, what: str, value: str | None) -> str:
    person = parse_relative(slot.about)
    name = person.name or (value or "" if attribute == "name" else "")
    return Relative(person.relation[:_MAX_PART], name[:_MAX_PART]).key(what)


def _is_more_specific(model_key: str, rule_key: tuple[str, str]) -> bool:
    """Whether the model's key names an attribute, and the key of the rules only repeats the words of the sentence."""
    key, value = rule_key
    if "|self|" not in model_key:
        return model_key.rpartition("|")[2] in _OF_RELATIVES and key.rpartition("|")[2] not in _OF_RELATIVES
    is_free_text = key.partition(f"|{SELF}|")[2].partition("|")[0] in _FREE_TEXT and value == "yes"
    return is_free_text and model_key.partition(f"|{SELF}|")[2] in SINGLE_VALUED


def _key_tail(attribute: str, slot: Slot) -> tuple[str, str | None]:
    """The end of the key after the subject, and the value."""
    value = phrase_slug(slot.value)[:_MAX_PART]
    if attribute in _LIKING_VALUES:
        return f"likes|{value}", _LIKING_VALUES[attribute]
    single = attribute in SINGLE_VALUED or attribute.startswith("favorite_")
    if attribute in MULTI_VALUED or (slot.is_many and not single):
        item = slug(slot.value)[:_MAX_PART] if attribute == "pet" else value
        return f"{attribute}|{item}".rstrip("|"), None if slot.retracts else "yes"
    if attribute == "age" and (number := _parse_age(slot.value)):
        return attribute, number
    return attribute, slug(re.sub(r"^(?:the|a|an) ", "", slot.value, flags=re.IGNORECASE)) or None


def _parse_age(value: str) -> str | None:
    """An age in years, as a number ("five years old" is 5)."""
    word = re.sub(r"[ -]?(?:years?|yrs?)(?:[ -](?:old|of age))?$", "", value.strip(), flags=re.IGNORECASE)
    number = COUNTS.get(slug(word), slug(word))
    return number if number.isdigit() else None
