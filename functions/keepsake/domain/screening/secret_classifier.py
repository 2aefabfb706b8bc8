"""Scores how much a sentence reads as telling a secret: a linear classifier over words and the shapes of values.

It stands beside the patterns of secret_detection, which know where a secret stands: this one only knows that a sentence
tells one. ``bench/training/screening_model.py`` trains its weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.screening.spelled_secrets import SPOKEN_DIGITS

MAX_SECRET_SCORE = 1.0
"""The greatest score of a sentence that tells no secret."""

_BIAS = "^"
_TOKEN = re.compile(
    r"https?:\S{1,200}|\S{1,60}@\S{1,60}|\d+(?>(?:[.,:]\d+)*)|[^\W\d_]+(?>(?:'[^\W_]+)*)|[\"“”‘’«»:=#*→/-]"
)
_MARKS = str.maketrans("“”‘’«»=→#", '""""""::*')
_SHAPES = {
    "quoted": r"[\"“«‘'](?=\w)[^\"”»’]{3,40}[\"”»’']",
    "mixed": r"(?<!\S)(?=\S{0,60}\d)(?=\S{0,60}[^\W\d_])\S{2,60}",
    "capitals": r"\b[A-Z]{2,}\b",
    "inner_mark": r"[^\W_][!$%&_+=][^\W_]",
    "four_digits": r"(?<!\d)\d{4}(?!\d)",
    "five_digits": r"(?<!\d)\d{5,8}(?!\d)",
    "nine_digits": r"\d{9}",
    "parted_digits": r"\d[ -]\d[ -]\d",
    "parted_letters": r"(?:\b\w-){2,60}\w\b",
    "hexadecimal": r"\b[0-9a-f]{8,200}\b",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in _SHAPES.items()}
_STEM_LENGTH = 6
_MAX_LENGTH = 1000
_MAX_NUMBER_LENGTH = 9
_MANY = 3
_YEARS = range(1900, 2031)
_YEAR, _DECIMAL, _SPOKEN = "2000", "0.0", "0w"


def secret_features(sentence: str) -> list[str]:
    """The features of a sentence, each once: its tokens alone and in pairs, its shapes, each word beside a shape."""
    sentence = sentence[:_MAX_LENGTH]
    tokens = list(_tokens(sentence))
    numbers = [token for token in tokens if token[0].isdigit()]
    shapes = [name for name, pattern in _COMPILED.items() if pattern.search(sentence)]
    if numbers.count(_SPOKEN) >= _MANY:
        shapes.append("spoken")
    if len(numbers) >= _MANY:
        shapes.append("many_numbers")
    if numbers:
        shapes.append("number")
    shapes = shapes or ["plain"]
    features = [_BIAS, *tokens]
    features += (f"{before} {token}" for before, token in zip([_BIAS, *tokens], tokens, strict=False))
    features += (f"{one} _ {three}" for one, three in zip(tokens, tokens[2:], strict=False) if three[0].isdigit())
    features += (f"<{shape}>" for shape in shapes)
    features += (f"<{shape}> {token}" for shape in shapes for token in tokens if token[0].isalpha())
    return list(dict.fromkeys(features))


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def secret_score(sentence: str) -> float:
    """The logarithm of the odds that a sentence tells a secret; what it repeats counts once."""
    weights = load_weights("secret")
    return sum(weights.get(feature, 0.0) for feature in secret_features(sentence))


def _tokens(sentence: str) -> Iterator[str]:
    for token in _TOKEN.findall(sentence):
        if token[0].isdigit():
            yield _number(token)
        elif token.lower() in SPOKEN_DIGITS:
            yield _SPOKEN
        else:
            yield token.lower()[:_STEM_LENGTH].translate(_MARKS)


def _number(token: str) -> str:
    """The shape of a number: its count of digits, a year, or a decimal."""
    if not token.isdecimal():
        return _DECIMAL
    if len(token) == len(_YEAR) and int(token) in _YEARS:
        return _YEAR
    return "0" * min(len(token), _MAX_NUMBER_LENGTH)
