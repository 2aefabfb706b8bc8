"""The key and value of a model's statement, in the rules' vocabulary, so that what either found the other replaces."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.number_words import COUNTS
from keepsake.domain.entities.relatives import Relative, relative
from keepsake.domain.extraction.rules import key_of
from keepsake.domain.extraction.rules.rule import thing
from keepsake.domain.memory import MemoryType
from keepsake.domain.text import slug

SELF = "self"
_LIKING = {"like": "like", "love": "like", "enjoy": "like", "dislike": "dislike", "hate": "dislike"}
_SAYS_NOTHING = frozenset({
    "note", "notes", "fact", "facts", "info", "information", "statement", "general", "misc", "other", "detail",
    "details", "memory", "about", "self", "personal", "unknown", "none", "value", "preference", "preferences",
})  # fmt: skip
"""Names of no slot: everything a model files under one of them would be one thing, and replace what stood there."""
_OF_RELATIVES = frozenset({"age", "home", "occupation", "name"})
_FREE = frozenset({"is", "habit", "work"})
_ONE_TYPE = {"pet": "relationship", "goal": "goal", "feeling": "emotion", "habit": "pattern"}
_MANY = frozenset({"pet", "goal", "feeling", "habit", "allergy", "event", "hobby", "language", "speaks"})
_SINGLE = frozenset({
    "name", "nickname", "pronouns", "age", "birthday", "home", "hometown", "birthplace", "employer", "occupation",
    "relationship_status", "diet", "native_language", "sun_sign", "moon_sign", "rising_sign",
})  # fmt: skip
_SYNONYMS = {
    "city": "home", "location": "home", "residence": "home", "lives_in": "home", "job": "occupation",
    "profession": "occupation", "job_title": "occupation", "company": "employer", "workplace": "employer",
    "marital_status": "relationship_status", "allergies": "allergy", "pets": "pet", "goals": "goal",
    "birth_date": "birthday", "date_of_birth": "birthday", "language": "speaks", "languages": "speaks",
    "spoken_language": "speaks", "works_at": "employer", "dietary_preference": "diet", "origin": "hometown",
}  # fmt: skip
_NOW = re.compile(r" (?:any ?more|any longer|now|nowadays|these days)[.!]?\Z", re.IGNORECASE)
_WHOSE = re.compile(rf"(?:their |(?:the )?user's |my )?(?P<rel>{RELATIONS})(?:'s|'?s name)? (?!and )\w", re.IGNORECASE)
_REASON = re.compile(r",| (?:because|since|but|so|as) ")
_DENIED = re.compile(r"(?:\S+ ){0,3}?(?:not|no longer|never|\w+n't)\b", re.IGNORECASE)
_MOST_KEY, _MOST_PART = 300, 80


@dataclass(frozen=True, slots=True)
class Slot:
    """What a model says its statement is about."""

    type: MemoryType
    about: str
    attribute: str
    value: str
    many: bool = False
    retracts: bool = False


def key_and_value(slot: Slot, text: str) -> tuple[str | None, str | None]:
    """The key under which the rules would keep the statement, or one made from what the model calls it."""
    if subject(slot.about) == SELF and (whose := _WHOSE.match(text)):
        slot = replace(slot, about=whose["rel"])
    own = _own(slot)
    known = None if slot.retracts else key_of(_NOW.sub("", text))
    if known is not None and not (own[0] and _tells_more(own[0], known)):
        return known
    return own


def denies(slot: Slot, text: str) -> bool:
    """Whether the sentence only says what does not hold: no value of a thing that has one ("does not live in Rome")."""
    attribute = slug(slot.attribute)
    single = _SYNONYMS.get(attribute, attribute) in _SINGLE or attribute.startswith("favorite_")
    said = _REASON.split(text)[0]
    return single and _DENIED.match(said) is not None and slug(slot.value) in slug(said)


def subject(about: str) -> str:
    """The slug of whom a statement is about: ``self``, or as the rules name a relation."""
    plain = slug(about)[:_MOST_PART]
    if plain in {"", SELF, "me", "i", "user", "the_user", "person", "the_person", "author"}:
        return SELF
    return relative(about).relation[:_MOST_PART]


def _own(slot: Slot) -> tuple[str | None, str | None]:
    """The key and value that the model's own words for it make."""
    attribute = slug(slot.attribute)
    attribute = _SYNONYMS.get(attribute, attribute)
    if not attribute or attribute in _SAYS_NOTHING:
        return None, None
    who = subject(slot.about)
    what, value = _place(attribute.removesuffix("s") if attribute in {"likes", "dislikes"} else attribute, slot)
    kind = "relationship" if who != SELF else _ONE_TYPE.get(attribute, slot.type.value if slot.many else "fact")
    whose = f"{SELF}|{what}" if who == SELF else _of_relative(slot, attribute, what, value)
    key = f"{kind}|person|{whose}".rstrip("|")
    return (key, value) if len(key) <= _MOST_KEY else (None, None)


def _of_relative(slot: Slot, attribute: str, what: str, value: str | None) -> str:
    somebody = relative(slot.about)
    name = somebody.name or (value or "" if attribute == "name" else "")
    return Relative(somebody.relation[:_MOST_PART], name[:_MOST_PART]).key(what)


def _tells_more(own: str, known: tuple[str, str]) -> bool:
    """Whether the model names the slot where its sentence, read by rules, is about no more than its own words."""
    key, value = known
    if "|self|" not in own:
        return own.rpartition("|")[2] in _OF_RELATIVES and key.rpartition("|")[2] not in _OF_RELATIVES
    freely = key.partition(f"|{SELF}|")[2].partition("|")[0] in _FREE and value == "yes"
    return freely and own.partition(f"|{SELF}|")[2] in _SINGLE


def _place(attribute: str, slot: Slot) -> tuple[str, str | None]:
    """The end of the key, and the value."""
    value = thing(slot.value)[:_MOST_PART]
    if attribute in _LIKING:
        return f"likes|{value}", _LIKING[attribute]
    single = attribute in _SINGLE or attribute.startswith("favorite_")
    if attribute in _MANY or (slot.many and not single):
        held = slug(slot.value)[:_MOST_PART] if attribute == "pet" else value
        return f"{attribute}|{held}".rstrip("|"), None if slot.retracts else "yes"
    if attribute == "age" and (number := _age(slot.value)):
        return attribute, number
    return attribute, slug(re.sub(r"^(?:the|a|an) ", "", slot.value, flags=re.IGNORECASE)) or None


def _age(value: str) -> str | None:
    """The years of an age, as the rules write them ("five years old" is 5)."""
    word = re.sub(r"[ -]?(?:years?|yrs?)(?:[ -](?:old|of age))?$", "", value.strip(), flags=re.IGNORECASE)
    number = COUNTS.get(slug(word), slug(word))
    return number if number.isdigit() else None
