"""What a sentence of a summary affirms though its texts deny it, and what it denies though they affirm it.

A denial is of the first word of meaning after a negation, and a text that denies a word everywhere is against a
sentence that has it without any denial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.evidence.speaker_words import speaker_words
from keepsake.domain.summaries.false_sentences.clauses import content, split_clauses
from keepsake.domain.text import normalize_apostrophes, stem, words

ENGLISH = "en"
_WORDS = load_sections("denials", __package__.rpartition(".")[0])
_OVER = frozenset(_WORDS["over"])
_BOUNDS = frozenset(_WORDS["bounds"])
_IMPLIED = frozenset(map(stem, _WORDS["implied"]))
_PARTICLES = frozenset(_WORDS["particles"])
_LIKES, _HATES = frozenset(_WORDS["likes"]), frozenset(_WORDS["hates"])
_LIKE = frozenset({"like"})
_LIGHT = frozenset(map(stem, _WORDS["light"]))
_GAVE_UP = re.compile(r"\bg(?:ave|ives?|iven|iving) up\b")
_MAX_CLAUSES = 3
"""Clauses of which the last may still deny the first."""
_NOT = re.compile(r"n't\b|\b(?:not|never|cannot|no longer)\b")


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    tokens: tuple[str, ...]
    content: frozenset[str]
    denied: frozenset[str]
    """The first word of meaning after each negation, as a stem."""
    scope: frozenset[str]
    """All words of meaning after a negation."""
    has_negation: bool
    """Whether it has a word that denies by itself."""
    is_denial: bool
    """Whether it has any word that denies, also one that does so by what it means: "refuse"."""
    may_deny: bool
    """Whether it has one that does so in some phrases: "ran out", "free of pain"."""


def find_denial(sentence: str, texts: Sequence[str], names: frozenset[str]) -> str | None:
    """What a sentence says of a word otherwise than its texts, in words for the model; None where nothing is found."""
    clauses = [clause for text in texts for clause in _clauses(text)]
    for part in _clauses(sentence):
        if found := _find_affirmed(part, clauses, names) or _find_denied(part, clauses, names):
            return found
    return None


def _find_affirmed(part: _Clause, clauses: Sequence[_Clause], names: frozenset[str]) -> str | None:
    """A word that a part says plainly, and that all clauses with it deny."""
    if part.is_denial or part.may_deny:
        return None
    affirmed = frozenset[str]().union(*(one.content - one.scope for one in clauses))
    denied = (one for clause in clauses if not _BOUNDS & set(clause.tokens) for one in clause.denied)
    found = next((one for one in denied if one in part.content - affirmed - names), None)
    return f"its text denies “{found}”" if found else None


def _find_denied(part: _Clause, clauses: Sequence[_Clause], names: frozenset[str]) -> str | None:
    """A word that a part denies, and that no clause with it denies."""
    if not part.denied or _BOUNDS & set(part.tokens):
        return None
    if clauses and part.has_negation and not any(one.has_negation for one in clauses):
        return "it denies something, and its text denies nothing"
    for word in part.denied - names:
        shared = [len(one.content & part.content) if word in one.content else 0 for one in clauses]
        nearest = [place for place, count in enumerate(shared) if count == max(shared) > 0]
        if nearest and not any(_is_denied(clauses[place : place + _MAX_CLAUSES]) for place in nearest):
            return f"it denies “{word}”, and its text does not"
    return None


def _is_denied(clauses: Sequence[_Clause]) -> bool:
    """Whether the first clause denies, or one after it does so without words of its own: "They asked me. Said no"."""
    return clauses[0].is_denial or any(one.is_denial and not one.scope for one in clauses[1:])


def _clauses(text: str) -> list[_Clause]:
    return [_clause(one) for one in split_clauses(_GAVE_UP.sub("quit", normalize_apostrophes(text).casefold()))]


@lru_cache(maxsize=2048)  # the sentences of a reply are checked one by one against the same texts
def _clause(text: str) -> _Clause:
    tokens = tuple(words(text.replace("rather than", "instead of")))
    scopes = [
        [stem for token in tokens[place + 1 :] for stem in content(token)]
        for place, token in enumerate(tokens)
        if token in _OVER or is_negation(token)
    ]
    heads = (next((one for one in scope if one not in _LIGHT), scope[-1]) for scope in scopes if scope)
    is_liked, is_hated = not _LIKES.isdisjoint(tokens), not _HATES.isdisjoint(tokens)
    return _Clause(
        text=text,
        tokens=tokens,
        content=content(text) | (_LIKE if is_liked else frozenset()),
        denied=frozenset(heads) | (_LIKE if is_hated else frozenset()),
        scope=frozenset(one for scope in scopes for one in scope),
        has_negation=any(one in _OVER or is_negation(one) for one in tokens),
        is_denial=any(map(_denies, tokens)),
        may_deny=not _PARTICLES.isdisjoint(tokens),
    )


def is_negation(word: str) -> bool:
    """Whether an English word in small letters denies by itself, as "cannot"."""
    return any(kind == "not" for kind, _ in speaker_words(ENGLISH).senses(word))


def _denies(word: str) -> bool:
    return word in _OVER or is_negation(word) or not _IMPLIED.isdisjoint({stem(word), *content(word)})
