"""What a part of a summary's sentence says without a negation though the clauses nearest to it deny it, or reversed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.evidence.speaker_words import speaker_words
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.false_sentences.bare_denials import ENGLISH, is_negation
from keepsake.domain.summaries.false_sentences.clauses import content, find_nearest, split_clauses
from keepsake.domain.text import normalize_apostrophes, words

_OVER = frozenset({"stop", "stops", "stopped", "quit", "quits", "without"})
"""Words that deny what follows them as a negation does."""
_HATES = frozenset({"hate", "hates", "hated", "dislike", "dislikes", "disliked"})
_LIKES = frozenset({"like", "likes", "liked", "love", "loves", "loved", "enjoy", "enjoys", "enjoyed"})
"""What is denied by the ones above, and by nothing else."""
_GAVE_UP = re.compile(r"\bg(?:ave|ives?|iven|iving) up\b")
_BARE = 2
"""Words of a denial that refers to another clause, at most: "Said no", "Haven't decided"."""
_REASONS = frozenset({"because", "due", "since", "as", "so"})
_BOUNDS = frozenset({"before", "until", "till", "since", "only", "yet", "this", "so", "why", "whether", "if"})
"""Words with which a negation denies only a time, a measure or a condition: "not before 13"."""


def is_denied(sentence: str, texts: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a part and all of the clauses that share most words with it differ in a negation of the same word."""
    clauses = [clause for text in texts for clause in split_clauses(_folded(text))]
    has_bare = any(map(_is_bare, clauses))
    for part in split_clauses(_folded(sentence)):
        near = find_nearest(part, clauses, names)
        if near and all(_denies(clause, part, names, is_any_word=False) for clause in near):
            return True
        if near and not has_bare and all(_denies(part, clause, names, is_any_word=True) for clause in near):
            return True
    return False


def _folded(text: str) -> str:
    return _GAVE_UP.sub("quit", normalize_apostrophes(text).casefold())


def _denies(text: str, other: str, names: frozenset[str], *, is_any_word: bool) -> bool:
    """Whether a text has after a negation what the other one says without any word that may deny.

    Only the first word after "not" counts, or with ``is_any_word`` every one: another wording may affirm the rest.
    """
    tokens = words(text)
    place = next((index for index, token in enumerate(tokens) if _is_negative(token)), None)
    if place is None or _may_deny(other) or _BOUNDS & set(tokens):
        return False
    if tokens[place] in _HATES and not _LIKES & set(words(other)):
        return False
    end = next((index for index, token in enumerate(tokens) if index > place and token in _REASONS), len(tokens))
    denied = [found for token in tokens[place + 1 : end] if (found := content(token))]
    if not is_any_word and is_negation(tokens[place]):
        denied = denied[:1]
    return any(one & content(other) - names for one in denied)


def _is_bare(clause: str) -> bool:
    said = [word for word in words(clause) if word not in STOPWORDS and not is_negation(word)]
    is_short = len(said) <= _BARE and any(map(_is_negative, words(clause)))
    return is_short and not any(known_lemmas(word, "NOUN") for word in said)


def _is_negative(word: str) -> bool:
    return word in _OVER | _HATES or is_negation(word)


def _may_deny(text: str) -> bool:
    senses = (speaker_words(ENGLISH).senses(word) for word in words(text))
    kinds = {kind for found in senses for kind, _ in found}
    return bool(kinds & {"not", "reverse"} or (_OVER | _HATES) & set(words(text)))
