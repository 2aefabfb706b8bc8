"""The forms and classes of words: verb and tense by a dictionary or the ending, classes from ``data/words.txt``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.lemmas import guess_lemma, known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_sections

_CACHED_WORDS = 16_384
_TAGS_BY_FORM = {"am": "VBP", "are": "VBP", "is": "VBZ", "was": "VBD", "were": "VBD", "been": "VBN", "being": "VBG"}
CLASSES = {section: frozenset(entries) for section, entries in load_sections("words", __package__).items()}
"""The classes of words by which clauses are read."""


def is_in(section: str, *words: str) -> bool:
    """Whether a class contains one of the words."""
    return not CLASSES[section].isdisjoint(words)


@dataclass(frozen=True, slots=True)
class VerbForm:
    """A word as a form of a verb: its base form, and the tags of the Penn Treebank that it may have."""

    lemma: str
    tags: frozenset[str]

    @property
    def is_base(self) -> bool:
        """Whether it may stand after "I" in the present."""
        return bool(self.tags & {"VB", "VBP"})

    @property
    def is_third_person(self) -> bool:
        """Whether it may stand after "she" in the present."""
        return "VBZ" in self.tags

    @property
    def is_past(self) -> bool:
        """Whether it is a past tense."""
        return "VBD" in self.tags

    @property
    def is_participle(self) -> bool:
        """Whether it may stand after "have"."""
        return "VBN" in self.tags

    @property
    def is_gerund(self) -> bool:
        """Whether it ends in "-ing"."""
        return "VBG" in self.tags


@lru_cache(_CACHED_WORDS)
def verb_form(word: str) -> VerbForm | None:
    """The verb of which a word in lower case is a form; None where it is none."""
    if word in _TAGS_BY_FORM:
        return VerbForm("be", frozenset({_TAGS_BY_FORM[word]}))
    if not word.replace("-", "").isalpha():
        return None
    if "-" in word:
        head = verb_form(word.rpartition("-")[2])
        return None if head is None else VerbForm(f"{word.rpartition('-')[0]}-{head.lemma}", head.tags)
    for lemma in known_lemmas(word, "VERB"):
        if tags := known_tags(word, lemma):
            return VerbForm(lemma, tags)
    if not (known_lemmas(word, "NOUN") or known_lemmas(word, "ADJ")):
        if word.endswith("ing") and len(word) > 5:
            return VerbForm(guess_lemma(word, "VERB"), frozenset({"VBG"}))
        if word.endswith("ed") and len(word) > 4:
            return VerbForm(guess_lemma(word, "VERB"), frozenset({"VBD", "VBN"}))
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


Words = tuple[str, ...]


def noun_phrase(words: Words) -> Words:
    """The words of the first noun phrase, without what is attached to it."""
    for index, word in enumerate(words):
        if index and is_in("ends_noun_phrase", word):
            return words[:index]
    return words
