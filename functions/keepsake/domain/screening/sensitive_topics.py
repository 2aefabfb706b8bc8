"""Sensitive topics: statements about a person's health or money, recognized by word lists and by amounts of money."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.load_word_lists import load_lines, load_words
from keepsake.domain.screening.financial_amounts import names_amount
from keepsake.domain.text import normalize_apostrophes, strip_invisible, word_set

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_MAX_PHRASE = 5
"""Words of a phrase."""

_ENTRIES = (*load_lines("health", __package__), *load_lines("finances", __package__))
_TOPICS = frozenset(" ".join(_TOKEN.findall(entry)) for entry in _ENTRIES if entry.islower())
_PREFIXES = tuple(entry.removesuffix("*") for entry in _ENTRIES if entry.endswith("*"))
"""The prefixes of words ("diabet*")."""
_ACRONYMS = frozenset(entry for entry in _ENTRIES if not entry.islower())
_ORDINARY = load_words("ordinary", __package__)
_PRACTITIONERS = load_words("practitioners", __package__)
_BEFORE_A_PRACTITIONER = word_set("see sees saw seeing seen visit visits visiting my their his her the") | {
    f"{by} {article}" for by in ("to", "by", "with", "from") for article in ("a", "an")
}


def is_sensitive_topic(text: str) -> bool:
    """Whether the text is about the health or the money of a person."""
    shown = normalize_apostrophes(strip_invisible(text))
    tokens = _TOKEN.findall(shown)
    words = _without_ordinary([token.casefold() for token in tokens])
    return (
        not _ACRONYMS.isdisjoint(tokens)
        or any(word.startswith(_PREFIXES) for word in words)
        or not _TOPICS.isdisjoint(_phrases(words))
        or _sees_a_practitioner(words)
        or names_amount(shown)
    )


def _phrases(words: Sequence[str]) -> set[str]:
    """The words, and each few that stand together."""
    return {
        " ".join(words[start : start + length]) for start in range(len(words)) for length in range(1, _MAX_PHRASE + 1)
    }


def _without_ordinary(words: Sequence[str]) -> list[str]:
    """The words without the phrases that hold a word of the other lists and are about something else."""
    text = f" {'  '.join(words)} "  # each word has its own blanks
    for phrase in _ORDINARY & _phrases(words):
        text = text.replace(f" {phrase.replace(' ', '  ')} ", " ")
    return text.split()


def _sees_a_practitioner(words: Sequence[str]) -> bool:
    """Whether a practitioner is mentioned as treating the person ("sees a therapist"), not as an occupation."""
    return any(
        word.removesuffix("s") in _PRACTITIONERS
        and not _BEFORE_A_PRACTITIONER.isdisjoint(_phrases(words[max(0, index - 3) : index]))
        for index, word in enumerate(words)
    )
