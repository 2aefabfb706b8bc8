"""Recognizes claims of authority: what grants or cancels something in the service, by what its sentences name.

Lists of phrases hold what is known; a classifier judges sentences in words that nobody has listed.
"""

from __future__ import annotations

import re

from keepsake.domain.english.word_lists import load_sections
from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.deobfuscation import readable_forms
from keepsake.domain.screening.phrase_topics import PhraseIndex
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

MAX_SCORE = 4.0
"""The greatest score of a sentence that is no claim."""

_CLAIMS = "claims"
_ADDRESS = "address"
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|[\n。！？]")
_HAS_ADDRESS = re.compile(r"[^\s@]@\w|://|\bwww\.|\.(?:com|org|net|io|example)\b")
_SECTIONS = load_sections("authority_claims", __package__)
_INDEX = PhraseIndex.of({name: entries for name, entries in _SECTIONS.items() if name != _CLAIMS})
_COMBINATIONS = [frozenset(map(str.strip, line.split("+"))) for line in _SECTIONS[_CLAIMS]]


def claims_authority(memory: str) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people.

    A memory tells of the person and their life, and nothing of rights that it gives in this service.
    """
    visible = shorten_runs(normalize_apostrophes(strip_invisible(memory)).lower())
    return any(
        _is_claim(sentence, is_first=not number) or claim_score(sentence) > MAX_SCORE
        for form in readable_forms(visible)
        for number, sentence in enumerate(filter(str.strip, _SENTENCE_END.split(form)))
    )


def _is_claim(sentence: str, *, is_first: bool) -> bool:
    topics = _INDEX.topics(sentence, is_first=is_first)
    if _HAS_ADDRESS.search(sentence):
        topics.add(_ADDRESS)
    return any(combination <= topics for combination in _COMBINATIONS)
