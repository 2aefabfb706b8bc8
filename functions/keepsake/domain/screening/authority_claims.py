"""Recognizes claims of authority: what grants or cancels something in the service, by what its sentences name.

Lists of phrases hold what is known; a classifier judges sentences in words that nobody has listed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.screening.claim_classifier import claim_score, part_score
from keepsake.domain.screening.deobfuscation import readable_forms
from keepsake.domain.screening.phrase_topics import PhraseIndex
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

MAX_SCORE, MAX_SPOKEN_SCORE = 1.5, 3.0
"""The greatest score of a sentence that is no claim: by itself, and among what people say to each other.

The few words of an exclamation tell little, and what they add up to may be chance.
"""

MAX_PART_SCORE, MAX_SPOKEN_PART_SCORE = 5.5, 7.5
"""The greatest score of a part of a sentence that is no claim: parts of many ordinary sentences read like one."""

_SURELY_ORDINARY_SCORE = -3.0
"""Below this score a sentence is surely of ordinary life."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""

_CLAIMS = "claims"
_ADDRESS = "address"
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|[\n。！？]")
_EXCLAIMED = re.compile(r"[!?]\Z")
_HAS_ADDRESS = re.compile(r"[^\s@]@\w|://|\bwww\.|\.(?:com|org|net|io|example)\b")
_SECTIONS = load_sections("authority_claims", __package__)
_INDEX = PhraseIndex.of({name: entries for name, entries in _SECTIONS.items() if name != _CLAIMS})
_COMBINATIONS = [frozenset(map(str.strip, line.split("+"))) for line in _SECTIONS[_CLAIMS]]


def claims_authority(memory: str, *, may_contain_speech: bool = False) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people.

    A memory tells of the person and their life, and nothing of rights that it gives in this service. Text that
    ``may_contain_speech`` may hold what people say to each other, with questions, exclamations or other sentences.
    """
    return any(_has_claim(sentences, may_contain_speech=may_contain_speech) for sentences in _sentences_by_form(memory))


def may_claim_authority(memory: str) -> bool:
    """Whether a sentence reads at least a little as a claim, so that "you" in it may be the assistant."""
    sentences = itertools.chain.from_iterable(_sentences_by_form(memory))
    return any(claim_score(sentence) > _MAX_ORDINARY_SCORE for sentence in sentences)


def _sentences_by_form(memory: str) -> Iterator[list[str]]:
    visible = shorten_runs(normalize_apostrophes(strip_invisible(memory)).lower())
    for form in readable_forms(visible):
        yield [sentence for sentence in _SENTENCE_END.split(form) if sentence.strip()]


def _has_claim(sentences: Sequence[str], *, may_contain_speech: bool) -> bool:
    scores = [claim_score(sentence) for sentence in sentences]
    is_spoken = may_contain_speech and (
        any(map(_EXCLAIMED.search, sentences)) or (len(scores) > 1 and min(scores) < _SURELY_ORDINARY_SCORE)
    )
    limit, part_limit = (MAX_SPOKEN_SCORE, MAX_SPOKEN_PART_SCORE) if is_spoken else (MAX_SCORE, MAX_PART_SCORE)
    return any(score > limit for score in scores) or any(
        part_score(sentence) > part_limit or _names_a_claim(sentence, is_first=not number)
        for number, sentence in enumerate(sentences)
    )


def _names_a_claim(sentence: str, *, is_first: bool) -> bool:
    """Whether the phrases of the lists in a sentence make a claim together."""
    topics = _INDEX.topics(sentence, is_first=is_first)
    if _HAS_ADDRESS.search(sentence):
        topics.add(_ADDRESS)
    return any(combination <= topics for combination in _COMBINATIONS)
