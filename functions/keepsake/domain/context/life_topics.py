"""What a memory tells of who a person is: home, work, family, health or goals; and what must not be missed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key

LifeTopic = Literal["home", "work", "family", "health", "goals"]

LIFE_TOPICS: tuple[LifeTopic, ...] = ("home", "work", "family", "health", "goals")
"""In the order in which a first context covers them."""

MIN_MUST_NOT_MISS_IMPORTANCE = 3
"""A memory of this importance must not be missed; a pinned one has it."""

_SECTIONS = load_sections("life_topics", __package__)
_TOPIC_OF_ATTRIBUTE: dict[str, LifeTopic] = {
    "home": "home", "living": "home", "hometown": "home", "birthplace": "home",
    "occupation": "work", "employer": "work", "work": "work", "studies": "work", "retired": "work",
    "relationship_status": "family", "children": "family",
    "allergy": "health", "diet": "health", "condition": "health",
    "goal": "goals",
}  # fmt: skip
_MUST_NOT_MISS_ATTRIBUTES = frozenset({"allergy", "diet"})
_RESTRICTING_ATTRIBUTES = frozenset({"is", "avoids", "habit", "likes", "has", "owns", "uses"})
_NOT_AT_ONCE = r"(?:(?!not\b|no\b|never\b|n't\b)[\w'’-]+ ){0,3}?"


def _alternatives(section: str) -> str:
    return "|".join(map(re.escape, _SECTIONS[section]))


_LIFE_WORDS = dict(entry.split(" = ") for entry in _SECTIONS["words"])
_PATTERNS = {topic: words.replace(" ", "|") for topic, words in _LIFE_WORDS.items()}
_PATTERNS["family"] = rf"married|kids|{RELATIONS}"
_WORDS = {
    topic: re.compile(rf"\b(?:{_PATTERNS[topic]})\b", re.IGNORECASE) for topic in LIFE_TOPICS if topic in _PATTERNS
}
_MUST_NOT_MISS = re.compile(rf"{_NOT_AT_ONCE}(?:{_alternatives('must_not_miss')})\b", re.IGNORECASE)
_IS_RESTRICTED = re.compile(
    rf"Is {_NOT_AT_ONCE}(?:{_alternatives('must_not_miss')})$"
    rf"|(?:{_alternatives('refusals')}) (?:any )?(?:{_alternatives('restricted_foods')})\b"
    rf"|(?:Always )?(?:Carries|Has|Keeps|Needs|Owns|Uses) (?:an? |two |their )?"
    rf"(?:{_alternatives('signs_of_allergy')})\b",
    re.IGNORECASE,
)
"""What a memory of the person says whose key names no allergy and no diet: "Is coeliac", "Carries an epipen"."""
_OF_OTHERS = re.compile(rf"(?:their |(?:the )?user's |my )?(?:{RELATIONS})\b", re.IGNORECASE)

LIFE_LEXEMES = tuple(_SECTIONS[f"{topic}_lexemes"] for topic in ("home", "work", "health", "family"))
"""The stems of words that memories about each of these have, for finding them."""
MUST_NOT_MISS_LEXEMES = _SECTIONS["must_not_miss_lexemes"]
"""The stems of words of memories that must not be missed."""


def life_topic(memory: Memory) -> LifeTopic | None:
    """What the memory tells of who the person is: by its type and key, or else by its words; tastes tell nothing."""
    if memory.type is MemoryType.GOAL:
        return "goals"
    attribute = _own_attribute(memory.key)
    if attribute in _TOPIC_OF_ATTRIBUTE:
        return _TOPIC_OF_ATTRIBUTE[attribute]
    if is_taste(memory):
        return None
    return next((topic for topic, words in _WORDS.items() if words.search(memory.text)), None)


def is_taste(memory: Memory) -> bool:
    """Whether the memory is a like or dislike, or another preference, and none that must not be missed."""
    return memory.subtype is Subtype.PREFERENCE and not must_not_be_missed(memory)


def must_not_be_missed(memory: Memory) -> bool:
    """Whether every context needs the memory: its importance says so, or it is an allergy of the person, or a diet."""
    return memory.importance >= MIN_MUST_NOT_MISS_IMPORTANCE or is_restriction(memory)


def is_restriction(memory: Memory) -> bool:
    """Whether the memory says what the person must do without: an allergy, or a diet."""
    attribute = _own_attribute(memory.key)
    if attribute in _MUST_NOT_MISS_ATTRIBUTES:
        return memory.value != "no"
    if attribute is not None:
        return attribute in _RESTRICTING_ATTRIBUTES and _IS_RESTRICTED.match(memory.text) is not None
    return memory.key is None and not _OF_OTHERS.match(memory.text) and _MUST_NOT_MISS.match(memory.text) is not None


@lru_cache(maxsize=4096)  # it is asked several times for each candidate of a context
def _own_attribute(memory_key: str | None) -> str | None:
    """The attribute of the person that a key names (``fact|person|self|home``)."""
    key = parse_key(memory_key)
    return None if key.is_fold else key.attribute or None
