"""The topics of a sentence that matter for claims of authority: which lists of phrases it names."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.screening.phrase_topics import PhraseIndex

_CLAIMS = "claims"
_ADDRESS = "address"
_HAS_ADDRESS = re.compile(r"[^\s@]@\w|://|\bwww\.|\.(?:com|org|net|io|example)\b")
_SECTIONS = load_sections("authority_claims", __package__)
_INDEX = PhraseIndex.of({name: entries for name, entries in _SECTIONS.items() if name != _CLAIMS})

CLAIMS = tuple(frozenset(map(str.strip, line.split("+"))) for line in _SECTIONS[_CLAIMS])
"""The topics that make a claim where a sentence names them together."""


@lru_cache(maxsize=32)  # a sentence is judged by the lists, and scored
def claim_topics(sentence: str, *, is_first: bool = True) -> frozenset[str]:
    """The topics of a lower-case sentence; ``is_first`` where the text begins with it."""
    topics = _INDEX.topics(sentence, is_first=is_first)
    return frozenset({*topics, _ADDRESS} if _HAS_ADDRESS.search(sentence) else topics)
