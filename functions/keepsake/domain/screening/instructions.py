"""Recognizes orders to the language model and claims of authority, and selects what a slower classifier may read too.

A memory tells of the person and their life: it gives the model no orders, and nobody rights in this service.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening.readable_text import (
    UNSPACED_LETTER,
    fold_homoglyphs,
    read_clauses,
    read_sentences,
    readable_forms,
)
from keepsake.domain.screening.sentence_scores import claim_score, part_score, secret_score
from keepsake.domain.text import normalize_apostrophes, strip_invisible

_PATTERNS = load_alternations("prompt_injection", __package__, start=rf"(?:\b|(?={UNSPACED_LETTER.pattern}))")
_BEGINNING = rf"(?:\A|(?<!\w)(?=\w)|(?=[^\w ])|(?={UNSPACED_LETTER.pattern}))"
"""Where an order may begin: tried first, this spares most letters of a text everything else."""
_ORDERS = [re.compile(f"{_BEGINNING}{_PATTERNS[section]}") for section in ("frames", "orders", "elsewhere")]
_SQUASHED = re.compile(_PATTERNS["squashed"])
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_MIN_SQUASHED = 12
"""Letters of the shortest order that is written as one word."""

_SECOND_PERSON = re.compile(r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])")
_ADDRESS = re.compile(
    rf"\A\W{{0,3}}(?:You|Your|You're|You've|You'll)(?![\w'])|\b{_PATTERNS['assistant']}"
    rf"|\A(?i:(?:(?:please|always|never|just|now|secretly) )?{_PATTERNS['order_beginnings']}\b)"
)
_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")

_MAX_SCORE, _MAX_PART_SCORE, _MAX_CLAUSE_SCORE = 0.6, 4.5, 2.0
"""The greatest scores of a sentence, of a part and of a clause of one that is no claim.

They are the same for every text: what would raise them, such as an exclamation mark, is what a claim would bring along.
"""

_MIN_CLEAR_SCORE, _MIN_ORDER_SCORE = 3.0, 4.0
"""Above these hardly any sentence of people about themselves is found, and hardly any of a message or a summary."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""

MIN_CLAIM_SCORE, MIN_SECRET_SCORE = -2.5, -5.0
"""The least scores by words of a sentence that is left open: to read one with a model takes a hundred times longer."""

MAX_JOINT_SCORE, MAX_JOINT_CLAUSE_SCORE = 0.4, 2.0
"""The greatest sum of both scores of a sentence, and of a clause, that is no claim."""

MAX_SECRET_SCORE = 1.5
"""The greatest score of a sentence, or of a clause, that tells no secret."""

_MIN_WORDS, _MAX_SENTENCES = 4, 12
"""Shorter sentences say too little; so many sentences and clauses of one text are read, which bounds its time."""


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """A sentence or a clause that its words leave open, and its score as a claim by them."""

    text: str
    claim_score: float
    is_clause: bool = False

    def rejection(self, *, claim: float, secret: float) -> str | None:
        """Why a text with this sentence may not be stored, by the scores of a classifier; None where it may."""
        if secret > MAX_SECRET_SCORE:
            return "secret"
        limit = MAX_JOINT_CLAUSE_SCORE if self.is_clause else MAX_JOINT_SCORE
        return "instruction" if self.claim_score + claim > limit else None


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def is_prompt_injection(text: str) -> bool:
    """Whether the text gives the model orders, poses as a part of its prompt, or clearly claims authority."""
    return any(map(_gives_orders, readable_forms(text))) or any(
        claim_score(sentence) > _MIN_ORDER_SCORE for sentence in read_sentences(text)
    )


def _gives_orders(text: str) -> bool:
    """Whether an order stands in the text, also written as one word, or as letters that stand alone."""
    if any(order.search(text) for order in _ORDERS):
        return True
    words = _BETWEEN_WORDS.split(text)
    letters = max(*map(len, words), sum(len(word) == 1 for word in words))
    return letters >= _MIN_SQUASHED and _SQUASHED.search("".join(words)) is not None


def addresses_model(memory: str, *, may_contain_speech: bool = False) -> bool:
    """Whether the text of a memory addresses or mentions the assistant, or is an order.

    Text that ``may_contain_speech``, such as a file from elsewhere, says "you" to other people, and claims nothing.
    """
    unquoted = fold_homoglyphs(_QUOTED_TITLE.sub("", normalize_apostrophes(strip_invisible(memory))))
    if not may_contain_speech and _SECOND_PERSON.search(unquoted) is not None:
        return True
    may_claim = not may_contain_speech or any(claim_score(one) > _MAX_ORDINARY_SCORE for one in read_sentences(memory))
    return may_claim and _ADDRESS.search(unquoted) is not None


def claims_authority(memory: str, *, clearly: bool = False) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people.

    Only what reads most like a claim does so ``clearly``: that refuses few true statements.
    """
    return any(map(_is_clear_claim if clearly else _is_claim, read_sentences(memory)))


def _is_claim(sentence: str) -> bool:
    """Whether a sentence reads as a claim, as a whole, by a part of it or by one of its clauses."""
    if claim_score(sentence) > _MAX_SCORE or part_score(sentence) > _MAX_PART_SCORE:
        return True
    return any(claim_score(clause) > _MAX_CLAUSE_SCORE for clause in read_clauses(sentence))


def _is_clear_claim(sentence: str) -> bool:
    return any(claim_score(part) > _MIN_CLEAR_SCORE for part in (sentence, *read_clauses(sentence)))


def doubtful_sentences(text: str) -> list[DoubtfulSentence]:
    """What the words of a text leave open, the sentences and clauses that read most like a claim if there are many.

    Clauses are read beside their sentence, since an attack may stand behind ordinary words.
    """
    found: dict[str, DoubtfulSentence] = {}
    for one in _scored_parts(text):
        if one.claim_score > MIN_CLAIM_SCORE or secret_score(one.text) > MIN_SECRET_SCORE:
            found.setdefault(one.text, one)
    return sorted(found.values(), key=lambda one: -one.claim_score)[:_MAX_SENTENCES]


def _scored_parts(text: str) -> Iterator[DoubtfulSentence]:
    """The sentences of a text with their scores, then the clauses of each."""
    sentences = [sentence for sentence in read_sentences(text) if len(sentence.split()) >= _MIN_WORDS]
    yield from (DoubtfulSentence(sentence, claim_score(sentence)) for sentence in sentences)
    for clause in (clause for sentence in sentences for clause in read_clauses(sentence)):
        if len(clause.split()) >= _MIN_WORDS:
            yield DoubtfulSentence(clause, claim_score(clause), is_clause=True)
