"""Recognizes claims of authority: what grants or cancels something in the service, by what its sentences name.

Lists of phrases hold what is known; a classifier judges sentences in words that nobody has listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.screening.claim_classifier import claim_score, part_score
from keepsake.domain.screening.deobfuscation import readable_forms
from keepsake.domain.screening.phrase_topics import PhraseIndex
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

MAX_SCORE = 1.8
"""The greatest score of a sentence that is no claim."""

MAX_PART_SCORE = 5.5
"""The greatest score of a part of a sentence that is no claim: parts of many ordinary sentences read like one."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""

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
    return any(_is_claim(sentence, is_first=not number) for number, sentence in _sentences(memory))


def may_claim_authority(memory: str) -> bool:
    """Whether a sentence reads at least a little as a claim, so that "you" in it may be the assistant."""
    return any(claim_score(sentence) > _MAX_ORDINARY_SCORE for _, sentence in _sentences(memory))


def _sentences(memory: str) -> Iterator[tuple[int, str]]:
    visible = shorten_runs(normalize_apostrophes(strip_invisible(memory)).lower())
    for form in readable_forms(visible):
        yield from enumerate(filter(str.strip, _SENTENCE_END.split(form)))


def _is_claim(sentence: str, *, is_first: bool) -> bool:
    if claim_score(sentence) > MAX_SCORE or part_score(sentence) > MAX_PART_SCORE:
        return True
    topics = _INDEX.topics(sentence, is_first=is_first)
    if _HAS_ADDRESS.search(sentence):
        topics.add(_ADDRESS)
    return any(combination <= topics for combination in _COMBINATIONS)
