"""What the linear classifiers over words know: their weights, and the features of words by which they read clauses.

The weights are one binary, ``data/classifiers.zip``, which ``python -m bench.training.classifiers`` makes from data of
the repository, with a card for each.
"""

from __future__ import annotations

import itertools
import re
import sys
import zipfile
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

from keepsake.domain.english.grammar.word_forms import CLASSES, is_known_word, is_noun, verb_form
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import JOBS, NATIONALITIES_AND_RELIGIONS, PET_WORDS

UNIT = 100
"""The weights are stored as whole hundredths."""

_BINARY = files(__package__).joinpath("data").joinpath("classifiers.zip")


@cache
def load_weights(name: str) -> Mapping[str, float]:
    """The weight of each feature of a classifier; a score is the sum of the weights of the features of a text."""
    with zipfile.ZipFile(BytesIO(_BINARY.read_bytes())) as archive:
        features = archive.read(f"{name}.features").decode().split("\n")
        hundredths = array("h", archive.read(f"{name}.weights"))
    if sys.byteorder == "big":
        hundredths.byteswap()
    return {feature: weight / UNIT for feature, weight in zip(features, hundredths, strict=True)}


BIAS = "^"
"""The feature that all words have."""

_RELATION = re.compile(RELATIONS, re.IGNORECASE)
_STEM_LENGTH = 7
_CACHED_WORDS = 16_384


def word_features(tokens: list[str]) -> Iterator[str]:
    """The features of words in their order: alone, in pairs, and three parts of speech at a time."""
    stems, tags = [*map(_stem, tokens)], [*map(part_of_speech, tokens)]
    return itertools.chain(
        (BIAS, f"^2 {' '.join(stems[:2])}", f"^3 {' '.join(tags[:3])}"),
        stems,
        (f"{one}_{other}" for one, other in itertools.pairwise((BIAS, *stems, "$"))),
        (f"t {one} {other}" for one, other in itertools.pairwise((BIAS, *tags, "$"))),
        (f"t {' '.join(three)}" for three in zip((BIAS, *tags), tags, (*tags[1:], "$"), strict=False)),
        (f"in {name}" for token in tokens for name in lists_with(token.lower())),
    )


def is_listed(word: str) -> bool:
    """Whether a word is in the dictionary of English, or in a list of words that the rules know."""
    return is_known_word(word) or word in load_words("function_words") or bool(lists_with(word))


def _stem(token: str) -> str:
    """The first letters of a word; 0 for any number."""
    return "0" if token[0].isdigit() else token.lower()[:_STEM_LENGTH]


@lru_cache(_CACHED_WORDS)
def part_of_speech(token: str) -> str:
    """A word of grammar as it is; of any other word, which parts of speech it may be."""
    word = token.lower()
    if word[0].isdigit():
        return "NUMBER"
    if word in load_words("function_words"):
        return word
    if token[0].isupper() and not is_known_word(word):
        return "NAME"
    form = verb_form(word)
    parts = "N" if is_noun(word) and is_known_word(word) else ""
    if form is not None:
        inflected = {"g": form.is_gerund, "p": form.is_past or form.is_participle, "s": form.is_third_person}
        parts += "V" + next((mark for mark, applies in inflected.items() if applies), "")
    if known_lemmas(word, "ADJ"):
        parts += "A"
    return parts or "N"


@lru_cache(_CACHED_WORDS)
def lists_with(word: str) -> tuple[str, ...]:
    """The names of the word lists that have a word."""
    if word[0].isdigit():
        return ("numbers",)
    named = {
        "relations": _RELATION.fullmatch(word) is not None,
        "pets": word in PET_WORDS,
        "jobs": word in JOBS,
        "nationalities": word in NATIONALITIES_AND_RELIGIONS,
    }
    found = [name for name, applies in named.items() if applies]
    return (*found, *(name for name, words in CLASSES.items() if word in words))


SEPARATOR = "\t"
"""Between a feature and a class, in the names of the weights of a classifier of several classes."""


@cache
def load_class_weights(name: str) -> Mapping[str, Mapping[str, float]]:
    """The weight of each class by the features that have one, of a classifier of several classes."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for key, weight in load_weights(name).items():
        feature, _, class_name = key.partition(SEPARATOR)
        found[feature][class_name] = weight
    return found
