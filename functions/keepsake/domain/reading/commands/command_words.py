"""The words of a message as commands are read: where they stand, without typing errors, and their classes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from keepsake.domain.english.load_word_lists import load_pairs, load_sections
from keepsake.domain.text import normalize_apostrophes, split_at_sentences

_MAX_WORDS = 200
_CACHED_WORDS = 8_192

_TOKEN = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
_RIGHT_WORDS = {typo: right for typos, right in load_pairs("typos", __package__).items() for typo in typos.split("|")}
OTHER_WORDS = {name: frozenset(words) for name, words in load_sections("other_words", __package__).items()}
"""Words in no class: fillers, and those that decide a single question."""
CLASSES = load_sections("command_words", __package__)
"""The classes of words by which a sentence is read, such as ``delete`` and ``memory``."""
_CLASS_OF_WORD = {word: name for name, words in CLASSES.items() for word in words if not word.endswith("*")}
_CLASS_OF_BEGINNING = {word[:-1]: name for name, words in CLASSES.items() for word in words if word.endswith("*")}


class Token(NamedTuple):
    """A word or a mark as it is written and as it is read, where it stands, and the number of its sentence."""

    text: str
    word: str
    start: int
    end: int
    sentence: int


def read_tokens(message: str) -> list[Token]:
    """The first words and marks of a message; its apostrophes are normalized, so that their places stay."""
    text, found, end = normalize_apostrophes(message), list[Token](), 0
    for number, sentence in enumerate(split_at_sentences(text)):
        start = text.index(sentence, end)
        end = start + len(sentence)
        for match in _TOKEN.finditer(text, start, end):
            word = match[0].lower()
            found.append(Token(match[0], _RIGHT_WORDS.get(word, word), match.start(), match.end(), number))
    return found[:_MAX_WORDS]


def without_fillers(tokens: Sequence[Token]) -> list[Token]:
    """What is said, without "please", "hey" and marks."""
    return [token for token in tokens if token.word[0].isalnum() and token.word not in OTHER_WORDS["filler"]]


def has_class(tokens: Sequence[Token], names: Collection[str]) -> bool:
    """Whether a word is in one of the classes."""
    return any(class_of(token.word) in names for token in tokens)


@lru_cache(_CACHED_WORDS)
def class_of(word: str) -> str:
    """The class of a word of commands; the empty text where it is none."""
    beginnings = (_CLASS_OF_BEGINNING.get(word[:length]) for length in range(len(word), 1, -1))
    return _CLASS_OF_WORD.get(word) or next(filter(None, beginnings), "")
