"""The forms and classes of words: verb and tense by a dictionary or the ending, classes from ``data/words.txt``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.english.lemmas import base_form, known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_sections

_CACHED_WORDS = 16_384
CLASSES = {section: frozenset(entries) for section, entries in load_sections("words", __package__).items()}
"""The classes of words by which clauses are read."""


def is_in(section: str, *words: str) -> bool:
    """Whether a class contains one of the words."""
    return not CLASSES[section].isdisjoint(words)


@dataclass(frozen=True, slots=True)
class VerbForm:
    """A word as a form of a verb: its base form, and which forms of it the word may be."""

    lemma: str
    is_base: bool
    """It may stand after "I" in the present."""
    is_third_person: bool
    is_past: bool
    is_participle: bool
    is_gerund: bool


def _form(lemma: str, *tags: str) -> VerbForm:
    """A form of a verb, by its tags of the Penn Treebank."""
    return VerbForm(lemma, "VB" in tags or "VBP" in tags, "VBZ" in tags, "VBD" in tags, "VBN" in tags, "VBG" in tags)


@lru_cache(_CACHED_WORDS)
def verb_form(word: str) -> VerbForm | None:
    """The verb of which a word in lower case is a form; None where it is none."""
    if not word.replace("-", "").isalpha():
        return None
    if "-" in word:
        head = verb_form(word.rpartition("-")[2])
        return None if head is None else replace(head, lemma=f"{word.rpartition('-')[0]}-{head.lemma}")
    for lemma in known_lemmas(word, "VERB"):
        if tags := known_tags(word, lemma):
            return _form(lemma, *tags)
    if not (known_lemmas(word, "NOUN") or known_lemmas(word, "ADJ")):
        if word.endswith("ing") and len(word) > 5:
            return _form(base_form(word, "VERB"), "VBG")
        if word.endswith("ed") and len(word) > 4:
            return _form(base_form(word, "VERB"), "VBD", "VBN")
    return None


@lru_cache(_CACHED_WORDS)
def is_noun(word: str) -> bool:
    """Whether the dictionary has a word as a noun, or does not know it at all."""
    return bool(known_lemmas(word, "NOUN")) or not is_known_word(word)


@lru_cache(_CACHED_WORDS)
def is_known_word(word: str) -> bool:
    """Whether the dictionary has a word."""
    return any(known_lemmas(word, part) for part in ("NOUN", "VERB", "ADJ", "ADV"))


@lru_cache(_CACHED_WORDS)
def is_adverb(word: str) -> bool:
    """Whether a word may stand between a subject and its verb."""
    return is_in("adverbs", word) or (
        word.endswith("ly") and bool(known_lemmas(word, "ADV")) and verb_form(word) is None
    )


def noun_phrase(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of the first noun phrase, without what is attached to it."""
    ends = (index for index, word in enumerate(words) if index and is_in("ends_noun_phrase", word))
    return words[: next(ends, None)]
