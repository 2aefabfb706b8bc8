"""Scores how much a sentence reads as a claim of authority, or as telling a secret: two linear classifiers.

``bench/training/screening_model.py`` trains their weights.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.screening.readable_text import UNSPACED_LETTER, fold_homoglyphs

BIAS = "^"
"""The feature that every sentence has."""

SPOKEN_DIGITS = load_pairs("spoken_digits", __package__)
"""The numbers from zero to ninety in words, in the languages that are read."""

_STEM_LENGTH = 6
_WORD = re.compile(r"\d+|[^\W\d_]+(?:'[^\W_]+)*")
_MAX_WORDS = 400

_TOKEN = re.compile(
    r"https?:\S{1,200}|\S{1,60}@\S{1,60}|\d+(?>(?:[.,:]\d+)*)|[^\W\d_]+(?>(?:'[^\W_]+)*)|[\"“”‘’«»:=#*→/-]"
)
_MARKS = str.maketrans("“”‘’«»=→#", '""""""::*')
_SHAPES = {
    "quoted": re.compile(r"[\"“«‘'](?=\w)[^\"”»’]{3,40}[\"”»’']"),
    "capitals": re.compile(r"\b[A-Z]{2,}\b"),
    "inner_mark": re.compile(r"[^\W_][!$%&_+=][^\W_]"),
    "parted_letters": re.compile(r"(?:\b\w-){2,60}\w\b"),
    "hexadecimal": re.compile(r"\b[0-9a-f]{8,200}\b"),
}
_SHAPES_WITH_DIGITS = {
    "mixed": re.compile(r"(?<!\S)(?=\S{0,60}\d)(?=\S{0,60}[^\W\d_])\S{2,60}"),
    "parted_digits": re.compile(r"\d[ -]\d[ -]\d"),
}
_DIGIT_SHAPES = {"four_digits": range(4, 5), "five_digits": range(5, 9), "nine_digits": range(9, 1001)}
"""The lengths of numbers that have a shape."""
_MAX_LENGTH = 1000
_MAX_NUMBER_LENGTH = 9
_MANY = 3
_YEARS = range(1900, 2031)
_YEAR, _DECIMAL, _SPOKEN = "2000", "0.0", "0w"


def claim_features(sentence: str) -> list[str]:
    """The features of a sentence, each once: its bias, and what each of its words adds."""
    return list(dict.fromkeys((BIAS, *itertools.chain.from_iterable(_features_by_word(sentence)))))


@lru_cache(maxsize=512)
def claim_score(sentence: str) -> float:
    """The logarithm of the odds that a sentence is a claim; what it repeats counts once."""
    return _sum_of_weights("claim", claim_features(sentence))


def part_score(sentence: str) -> float:
    """The score of the part with the greatest sum of weights: ordinary words around a claim take nothing from it."""
    weights = load_weights("claim")
    best = current = 0.0
    counted: set[str] = set()
    for features in _features_by_word(sentence):
        current += sum(weights.get(feature, 0.0) for feature in set(features) - counted)
        counted.update(features)
        if current <= 0:
            current = 0.0
            counted.clear()
        best = max(best, current)
    return weights[BIAS] + best


def _sum_of_weights(classifier: str, features: Iterable[str]) -> float:
    return sum(map(load_weights(classifier).get, features, itertools.repeat(0.0)))


@lru_cache(maxsize=512)
def _features_by_word(sentence: str) -> list[tuple[str, str]]:
    """The beginning of each word, alone and after the one before it; in scripts without spaces, pairs of characters."""
    stems = [*_stems(sentence)]
    return [(stem, f"{before} {stem}") for before, stem in zip([BIAS, *stems], stems, strict=False)]


def _stems(sentence: str) -> Iterator[str]:
    for word in _WORD.findall(_without_marks(fold_homoglyphs(sentence.lower())))[:_MAX_WORDS]:
        if not word.isascii() and UNSPACED_LETTER.match(word):
            yield from (word[start : start + 2] for start in range(max(1, len(word) - 1)))
        else:
            yield "0" if word.isdigit() else word[:_STEM_LENGTH]


def _without_marks(text: str) -> str:
    """The text without accents and vowel signs, which people leave out."""
    if text.isascii():
        return text
    letters = (one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one)[0] != "M")
    return unicodedata.normalize("NFC", "".join(letters))


def secret_features(sentence: str) -> list[str]:
    """The features of a sentence, each once: its tokens alone and in pairs, its shapes, each word beside a shape."""
    sentence = sentence[:_MAX_LENGTH]
    tokens = [*map(_shortened, _TOKEN.findall(sentence))]
    words = [token for token in tokens if token[0].isalpha()]
    features = [BIAS, *tokens]
    features += [f"{before} {token}" for before, token in zip(features, tokens, strict=False)]
    features += [f"{one} _ {three}" for one, three in zip(tokens, tokens[2:], strict=False) if three[0].isdigit()]
    shapes = _shapes(sentence, [token for token in tokens if token[0].isdigit()])
    features += [f"<{shape}>" for shape in shapes]
    features += [f"<{shape}> {word}" for shape in shapes for word in words]
    return list(dict.fromkeys(features))


def _shapes(sentence: str, numbers: Sequence[str]) -> list[str]:
    """What a sentence has that a value may be; ``numbers`` are those in it, also in words."""
    shapes = [name for name, pattern in _SHAPES.items() if pattern.search(sentence)]
    if any(map(str.isdecimal, sentence)):
        shapes += [name for name, pattern in _SHAPES_WITH_DIGITS.items() if pattern.search(sentence)]
        lengths = {len([*run]) for is_digit, run in itertools.groupby(sentence, str.isdecimal) if is_digit}
        shapes += [name for name, range_ in _DIGIT_SHAPES.items() if not lengths.isdisjoint(range_)]
    if numbers.count(_SPOKEN) >= _MANY:
        shapes.append("spoken")
    if len(numbers) >= _MANY:
        shapes.append("many_numbers")
    if numbers:
        shapes.append("number")
    return shapes or ["plain"]


@lru_cache(maxsize=512)  # a screening asks about the same few texts several times
def secret_score(sentence: str) -> float:
    """The logarithm of the odds that a sentence tells a secret; what it repeats counts once."""
    return _sum_of_weights("secret", secret_features(sentence))


@lru_cache(maxsize=8192)
def _shortened(token: str) -> str:
    """The beginning of a word; of a number its shape: its count of digits, a year, a decimal, or that it is a word."""
    if not token[0].isdigit():
        small = token.lower()
        return _SPOKEN if small in SPOKEN_DIGITS else small[:_STEM_LENGTH].translate(_MARKS)
    if not token.isdecimal():
        return _DECIMAL
    if len(token) == len(_YEAR) and int(token) in _YEARS:
        return _YEAR
    return "0" * min(len(token), _MAX_NUMBER_LENGTH)
