"""Scores how much a clause of a message reads as a durable fact about its author: a linear classifier over words.

Its features are the words of a clause, alone and in pairs, their parts of speech, the word lists they are in, and where
the clause stands; wordings that no rule knows share most of them with others.
``bench/training/statement_model.py`` trains its weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.classifiers import load_weights, word_features
from keepsake.domain.reading.clauses.split_clauses import Clause

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d[\d.,:/]*")
_MAX_WORDS = 40
_LONG = 5


def statement_features(clause: Clause) -> list[str]:
    """The features of a clause, each once."""
    tokens = _WORD.findall(clause.said)[:_MAX_WORDS]
    return list(dict.fromkeys((*word_features(tokens), *_place(clause))))


def statement_score(clause: Clause) -> float:
    """The logarithm of the odds that a clause states a durable fact about its author."""
    weights = load_weights("statement")
    return sum(weights.get(feature, 0.0) for feature in statement_features(clause))


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
