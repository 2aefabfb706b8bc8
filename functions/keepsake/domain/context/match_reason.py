"""Explains what a memory has in common with a message, in words that a person reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import ScoredMemory

_WORD = re.compile(r"[^\W_]+")


class MatchReason:
    """Explains what a memory has in common with the message."""

    def __init__(self, message: str, vector_unavailable_reason: str | None) -> None:
        self._message_words = list(dict.fromkeys(_WORD.findall(message.lower())))
        self._related = expand_query(message).split()
        self._word_by_stem: dict[str, tuple[str, bool]] = {}
        self._suffix = f" (words only: {vector_unavailable_reason})" if vector_unavailable_reason else ""

    def why(self, candidate: ScoredMemory) -> str:
        """The shared words, heaviest first, and apart from them those that come from query expansion."""
        if not candidate.matched:
            return "close in meaning" if candidate.similarity is not None else "highest score"
        shared_words = [self._word_of_stem(lexeme) for lexeme in candidate.matched]
        parts = []
        for title, related in (("mentions", False), ("related", True)):
            if words := list(dict.fromkeys(word for word, is_related in shared_words if is_related is related))[:3]:
                parts.append(f"{title}: {', '.join(words)}")
        if candidate.neighbor_score > candidate.lexical:
            parts.append("noted next to what mentions more")
        return "; ".join(parts) + self._suffix

    def _word_of_stem(self, lexeme: str) -> tuple[str, bool]:
        """The word of a stem (``famili`` is shown as ``family``), and whether it comes from query expansion."""
        if lexeme not in self._word_by_stem:
            in_message = _closest_word(lexeme, self._message_words)
            related = None if in_message else _closest_word(lexeme, self._related)
            self._word_by_stem[lexeme] = (in_message or related or lexeme, related is not None)
        return self._word_by_stem[lexeme]


def _closest_word(lexeme: str, words: Sequence[str]) -> str | None:
    """The word that shares the longest beginning with the stem, if it is most of the stem."""
    alike = (word for word in words if word[0] == lexeme[0])
    best = max(alike, key=lambda word: (_common_prefix_length(lexeme, word), -len(word)), default="")
    enough = max(len(lexeme) - 2, min(3, len(lexeme) - 1), 1)  # "for" is no form of "food"
    return best if _common_prefix_length(lexeme, best) >= enough else None


def _common_prefix_length(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
