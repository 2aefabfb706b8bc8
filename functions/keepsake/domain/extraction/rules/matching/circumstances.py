"""Finds what limits a statement to some of the time: "on weekends", "in the summer", "when I visit my parents"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.third_person import to_third_person_pronouns
from keepsake.domain.text import slug

_CIRCUMSTANCE = re.compile(rf"\b{load_alternations('circumstances')['circumstances']}\b", re.IGNORECASE)
_BEGINNING = re.compile(r"\b(?:started|moved|began|joined|got|became|since|quit|left)\b", re.IGNORECASE)
_LIMITED_KEYS = ("home", "employer", "occupation", "diet", "favorite_", "{who}|home", "{who}|occupation")
"""Beginnings of the keys of rules whose statement replaces another one."""
_MAX_SLUG = 40


def find_circumstance(words: str, fronted_phrase: str) -> str:
    """The circumstance in the words of a clause or before its subject; empty where the statement always holds."""
    if _BEGINNING.search(words):
        return ""
    match = _CIRCUMSTANCE.search(fronted_phrase) or _CIRCUMSTANCE.search(words)
    return f"{match[0][:1].lower()}{match[0][1:]}" if match else ""  # it may begin a sentence, and ends the memory


def can_be_limited(rule_key: str) -> bool:
    """Whether the statements of a rule replace one another, so that a circumstance belongs to the key."""
    return rule_key.startswith(_LIMITED_KEYS)


def limit_key(key: str, circumstance: str) -> str:
    """The key of a statement that holds only under a circumstance: it stands beside the one that always holds."""
    return f"{key}|during|{slug(circumstance)[:_MAX_SLUG]}"


def with_circumstance(text: str, circumstance: str) -> str:
    """The text of a statement with the circumstance, which a template may have left out."""
    words = to_third_person_pronouns(circumstance)
    if words.casefold() in text.casefold() or circumstance.casefold() in text.casefold():
        return text
    return f"{text} {words}"
