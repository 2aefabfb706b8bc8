"""The key and value of a model's statement, in the rules' vocabulary, so that what either found the other replaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from keepsake.domain.memory import MemoryType
from keepsake.domain.rules import key_of
from keepsake.domain.rules.draft import thing
from keepsake.domain.text import slug

SELF = "self"
_LIKING = {"like": "like", "love": "like", "enjoy": "like", "dislike": "dislike", "hate": "dislike"}
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
    "birth_date": "birthday", "date_of_birth": "birthday",
}  # fmt: skip
_SAME_RELATION = {"mom": "mother", "mum": "mother", "dad": "father", "kid": "child", "grandma": "grandmother",
                  "grandpa": "grandfather", "bf": "boyfriend", "gf": "girlfriend"}  # fmt: skip
_NOW = re.compile(r" (?:any ?more|any longer|now|nowadays|these days)[.!]?\Z", re.IGNORECASE)
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
    if not slot.retracts and (known := key_of(_NOW.sub("", text))):
        return known
    attribute = slug(slot.attribute)
    attribute = _SYNONYMS.get(attribute, attribute)
    if not attribute:
        return None, None
    who = subject(slot.about)
    what, value = _place(attribute.removesuffix("s") if attribute in {"likes", "dislikes"} else attribute, slot)
    kind = "relationship" if who != SELF else _ONE_TYPE.get(attribute, slot.type.value if slot.many else "fact")
    key = "|".join(part for part in (kind, "person", who, what) if part)
    return (key, value) if len(key) <= _MOST_KEY else (None, None)


def subject(about: str) -> str:
    """The slug of whom a statement is about: ``self``, or as the rules name a relation."""
    plain = slug(about)[:_MOST_PART]
    if plain in {"", SELF, "me", "i", "user", "the_user", "person", "the_person", "author"}:
        return SELF
    return _SAME_RELATION.get(plain, plain)


def _place(attribute: str, slot: Slot) -> tuple[str, str | None]:
    """The end of the key, and the value."""
    value = thing(slot.value)[:_MOST_PART]
    if attribute in _LIKING:
        return f"likes|{value}", _LIKING[attribute]
    single = attribute in _SINGLE or attribute.startswith("favorite_")
    if attribute in _MANY or (slot.many and not single):
        held = slug(slot.value)[:_MOST_PART] if attribute == "pet" else value
        return f"{attribute}|{held}".rstrip("|"), None if slot.retracts else "yes"
    return attribute, slug(re.sub(r"^(?:the|a|an) ", "", slot.value, flags=re.IGNORECASE)) or None
