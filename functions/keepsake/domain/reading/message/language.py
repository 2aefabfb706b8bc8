"""Recognizes messages and sentences that the rules, which know English, cannot read.

A linear classifier over the letters of words tells English from other languages; ``bench/training/language_model.py``
trains its weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.classifiers import BIAS, load_weights
from keepsake.domain.text import words

ENGLISH = "en"
_LAST_LATIN = "\u024f"
_MAX_OTHER_SHARE = 0.3
_MAX_WORDS = 60
_PARTS = (2, 3, 4)
"""How many letters the parts of a word have, by which it is compared."""
_MAX_SCORE = 0.0
"""The greatest score of an English message."""

_MAX_RUN_SCORE = 8.5
"""The greatest score of foreign words in a row in an English message, which may name people and places."""

_MAX_SENTENCE_SCORE = 4.0
"""The greatest score of an English sentence, which may be short: what is taken for another language is not read."""


def is_other_script(text: str) -> bool:
    """Whether a good part of the letters are not Latin."""
    if text.isascii():
        return False
    letters = [character for character in text if character.isalpha()]
    return sum(letter > _LAST_LATIN for letter in letters) > len(letters) * _MAX_OTHER_SHARE


def language_features(text: str) -> list[str]:
    """The features of a text: its words, what their letters begin, hold and end with, unusual letters."""
    return [BIAS, *itertools.chain.from_iterable(map(_word_features, _read_words(text)))]


def is_other_language(sentence: str) -> bool:
    """Whether a sentence is in another language, which the rules would have to understand."""
    return _language_score(_word_scores(sentence)) > _MAX_SENTENCE_SCORE


def is_unreadable(message: str) -> bool:
    """Whether the rules cannot read a message because of its language."""
    if is_other_script(message):
        return True
    scores = _word_scores(message)
    return _language_score(scores) > _MAX_SCORE or _run_score(scores) > _MAX_RUN_SCORE


def _language_score(scores: Sequence[float]) -> float:
    """The logarithm of the odds that words are of another language than English; one word tells nothing."""
    return load_weights("language")[BIAS] + sum(scores) if len(scores) > 1 else 0.0


def _run_score(scores: Sequence[float]) -> float:
    """The greatest score of foreign words in a row, of what is in another language beside English."""
    runs = (tuple(run) for is_foreign, run in itertools.groupby(scores, lambda one: one > 0) if is_foreign)
    return max((sum(run) for run in runs if len(run) > 1), default=0.0)


def _read_words(text: str) -> list[str]:
    return [word for word in words(text)[:_MAX_WORDS] if not word[0].isdigit()]


def _word_scores(text: str) -> list[float]:
    return [*map(_word_score, _read_words(text))]


@lru_cache(maxsize=4_096)  # most words of a message are common ones
def _word_score(word: str) -> float:
    weights = load_weights("language")
    return sum(weights.get(one, 0.0) for one in _word_features(word))


def _word_features(word: str) -> list[str]:
    shown = f"^{word}$"
    parts = (shown[at : at + size] for size in _PARTS for at in range(len(shown) - size + 1))
    return [shown, *parts, *(letter for letter in word if not letter.isascii())]
