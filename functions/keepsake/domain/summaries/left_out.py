"""Leaves out of a person's messages what may no longer be told: sentences that state what the person has forgotten.

Words are compared as hashes of their first letters, salted with the person: of what was erased nothing else is kept.
``keepsake.word_hashes`` makes the same hashes in the database.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import md5
from uuid import UUID

from keepsake.domain.english.load_word_lists import load_words

_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ“”‘’«»…–—", "abcdefghijklmnopqrstuvwxyz         ")
_SEPARATOR = re.compile("[^0-9a-z\u0080-\U0010ffff]+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*\s*|[.!?\n]+\s*")
_LETTERS, _MIN_LENGTH = 5, 3
_SHARE = 0.5
"""The share of the words of a statement that a sentence must have to state it."""


@dataclass(frozen=True, slots=True)
class ForgottenStatement:
    """What was forgotten: the hashes of its words, and of the name it was about; only what was said before counts."""

    words: frozenset[str]
    names: frozenset[str]
    forgotten_at: datetime


@dataclass(frozen=True, slots=True)
class ForgottenStatements:
    """What a person has forgotten, and the names of which something is still remembered."""

    person: UUID
    statements: Sequence[ForgottenStatement] = ()
    known_names: frozenset[str] = field(default_factory=frozenset)
    """Hashes of the names in what is still remembered: of them only single statements were forgotten."""

    def without(self, text: str, said_at: datetime, *, is_source: bool) -> str:
        """The text without the sentences that state what was forgotten.

        Of a message that is the source of a forgotten memory (``is_source``), and in which no sentence is found that
        states it, nothing is left.
        """
        earlier = [one for one in self.statements if said_at <= one.forgotten_at]
        if not earlier:
            return "" if is_source else text
        sentences = _SENTENCE.findall(text)
        kept = [one for one in sentences if not self._states(word_hashes(self.person, one), earlier)]
        return "" if is_source and len(kept) == len(sentences) else "".join(kept).strip()

    def _states(self, words: Collection[str], statements: Sequence[ForgottenStatement]) -> bool:
        common = _common_words(self.person)
        found = frozenset(words) - common
        for one in statements:
            content = one.words - common
            if content and len(content & found) >= max(1, _SHARE * len(content)):
                return True
            if (one.names - common - self.known_names) & found:
                return True
        return False


def word_hashes(person: UUID, text: str) -> frozenset[str]:
    """The words of a text as hashes."""
    words = {word[:_LETTERS] for word in _SEPARATOR.split(text.translate(_LOWER)) if len(word) >= _MIN_LENGTH}
    return frozenset(_hash(person, word) for word in words)


@lru_cache(maxsize=64)
def _common_words(person: UUID) -> frozenset[str]:
    """The hashes of words that many statements have."""
    return frozenset(_hash(person, word[:_LETTERS]) for word in load_words("common_words", __package__))


def _hash(person: UUID, word: str) -> str:
    return md5(f"{person}{word}".encode(), usedforsecurity=False).hexdigest()
