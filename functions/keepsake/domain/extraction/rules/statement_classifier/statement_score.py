"""Scores how much a clause of a message reads as a durable fact about its author: a linear classifier over words.

Its features are the words of a clause, alone and in pairs, their parts of speech, the word lists they are in, and where
the clause stands; wordings that no rule knows share most of them with others.
``bench/training/statement_model.py`` trains its weights.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from keepsake.domain.english.classifier_weights import load_weights
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import JOBS, NATIONALITIES_AND_RELIGIONS, PETS
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_known_word, is_noun, verb_form

BIAS = "^"
"""The feature that every clause has."""

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d[\d.,:/]*")
_RELATION, _PET = re.compile(RELATIONS, re.IGNORECASE), re.compile(PETS, re.IGNORECASE)
_MAX_WORDS = 40
_STEM_LENGTH = 7
_CACHED_WORDS = 16_384
_LONG = 5


def statement_features(clause: Clause) -> list[str]:
    """The features of a clause, each once."""
    tokens = _WORD.findall(clause.said)[:_MAX_WORDS]
    stems = ["0" if token[0].isdigit() else token.lower()[:_STEM_LENGTH] for token in tokens]
    tags = [_tag(token) for token in tokens]
    found = itertools.chain(
        (BIAS, f"^2 {' '.join(stems[:2])}", f"^3 {' '.join(tags[:3])}"),
        stems,
        (f"{one}_{other}" for one, other in itertools.pairwise((BIAS, *stems, "$"))),
        (f"t {one} {other}" for one, other in itertools.pairwise((BIAS, *tags, "$"))),
        (f"t {' '.join(three)}" for three in zip((BIAS, *tags), tags, (*tags[1:], "$"), strict=False)),
        (f"in {name}" for token in tokens for name in _lists(token.lower())),
        _place(clause),
    )
    return list(dict.fromkeys(found))


def statement_score(clause: Clause) -> float:
    """The logarithm of the odds that a clause states a durable fact about its author."""
    weights = load_weights("statement")
    return sum(weights.get(feature, 0.0) for feature in statement_features(clause))


def is_listed(word: str) -> bool:
    """Whether a word is in the dictionary of English, or in a list of words that the rules know."""
    return is_known_word(word) or word in load_words("function_words", __package__) or bool(_lists(word))


def _place(clause: Clause) -> Iterator[str]:
    """How long a clause is, whether it asks, and where in its message it stands."""
    length = len(clause.said.split())
    yield f"long {length if length < _LONG else _LONG + min(length // 4, 4)}"
    if clause.asks:
        yield "asks"
    if clause.is_first:
        yield "first"
    if clause.is_last:
        yield "last"


@lru_cache(_CACHED_WORDS)
def _tag(token: str) -> str:
    """A word of grammar as it is; of any other word, which parts of speech it may be."""
    word = token.lower()
    if word[0].isdigit():
        return "NUMBER"
    if word in load_words("function_words", __package__):
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
def _lists(word: str) -> tuple[str, ...]:
    """The names of the word lists that have a word."""
    if word[0].isdigit():
        return ("numbers",)
    named = {
        "relations": _RELATION.fullmatch(word) is not None,
        "pets": _PET.fullmatch(word) is not None,
        "jobs": word in JOBS,
        "nationalities": word in NATIONALITIES_AND_RELIGIONS,
    }
    found = [name for name, applies in named.items() if applies]
    return (*found, *(name for name, words in CLASSES.items() if word in words))
