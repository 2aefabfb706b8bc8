"""Recognizes claims of authority: what grants or cancels something in the service, by what its sentences name.

Lists of phrases hold what is known; a classifier judges sentences in words that nobody has listed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from keepsake.domain.screening.claim_classifier import claim_score, part_score
from keepsake.domain.screening.claim_topics import CLAIMS, claim_topics
from keepsake.domain.screening.deobfuscation import readable_forms
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

MAX_SCORE = 1.2
"""The greatest score of a sentence that is no claim.

It is the same for every text: what would raise it, such as an exclamation mark, is what a claim would bring along.
"""

MAX_PART_SCORE = 5.5
"""The greatest score of a part of a sentence that is no claim: parts of many ordinary sentences read like one."""

MAX_CLAUSE_SCORE = 3.5
"""The greatest score of a clause that is no claim: one that stands alone says less, and there are many."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|[\n。！？]")
_JOINING = r"(?:and|but|or|so|because|while|though|although|that|since)"
_CLAUSE_BORDER = re.compile(rf"(?:,\s|[:(]\s?|\s[-–—]\s)(?:{_JOINING}\s)?|\s{_JOINING}\s")
_MIN_CLAUSE_WORDS = 3


def claims_authority(memory: str) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people.

    A memory tells of the person and their life, and nothing of rights that it gives in this service.
    """
    return any(
        _is_claim(sentence, is_first=not number)
        for sentences in _sentences_by_form(memory)
        for number, sentence in enumerate(sentences)
    )


def may_claim_authority(memory: str) -> bool:
    """Whether a sentence reads at least a little as a claim, so that "you" in it may be the assistant."""
    sentences = itertools.chain.from_iterable(_sentences_by_form(memory))
    return any(claim_score(sentence) > _MAX_ORDINARY_SCORE for sentence in sentences)


def read_sentences(memory: str) -> list[str]:
    """The sentences of a memory as the classifiers read them, in each readable form, each once."""
    return list(dict.fromkeys(itertools.chain.from_iterable(_sentences_by_form(memory))))


def _sentences_by_form(memory: str) -> Iterator[list[str]]:
    visible = shorten_runs(normalize_apostrophes(strip_invisible(memory)).lower())
    for form in readable_forms(visible):
        yield [sentence for sentence in _SENTENCE_END.split(form) if sentence.strip()]


def _is_claim(sentence: str, *, is_first: bool) -> bool:
    """Whether a sentence reads as a claim, or the phrases of the lists in it make one together."""
    if claim_score(sentence) > MAX_SCORE or part_score(sentence) > MAX_PART_SCORE:
        return True
    if any(claim_score(clause, is_first=False) > MAX_CLAUSE_SCORE for clause in read_clauses(sentence)):
        return True
    topics = claim_topics(sentence, is_first=is_first)
    return any(combination <= topics for combination in CLAIMS)


def read_clauses(sentence: str) -> list[str]:
    """Each clause of a sentence that has several, each two that stand together, and all from each border on.

    None has fewer than three words.
    """
    borders = list(_CLAUSE_BORDER.finditer(sentence))
    if not borders:
        return []
    starts = [0, *(border.end() for border in borders)]
    ends = [*(border.start() for border in borders), len(sentence)]
    spans = [*zip(starts, ends, strict=True)]
    if len(borders) > 1:
        spans += zip(starts, ends[1:], strict=False)
    spans += ((start, len(sentence)) for start in starts[1:-2])
    parts = (sentence[start:end] for start, end in spans)
    return [part for part in parts if len(part.split()) >= _MIN_CLAUSE_WORDS]
