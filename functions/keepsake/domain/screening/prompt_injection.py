"""Recognizes prompt injection: text that gives orders to the language model instead of telling about the person."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening.readable_text import UNSPACED_LETTER, fold_homoglyphs, read_sentences, readable_forms
from keepsake.domain.screening.sentence_scores import claim_score
from keepsake.domain.text import normalize_apostrophes, strip_invisible

_PATTERNS = load_alternations("prompt_injection", __package__, start=rf"(?:\b|(?={UNSPACED_LETTER.pattern}))")
_ORDER = re.compile("|".join(_PATTERNS[section] for section in ("frames", "orders", "elsewhere")))
_SQUASHED = re.compile(_PATTERNS["squashed"])
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_MIN_SQUASHED = 12
"""Letters of the shortest order that is written so."""

_MIN_CLAIM_SCORE = 4.0
"""Above this score a sentence is an order in a message or a summary too, not only in a memory about somebody."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""

_SECOND_PERSON = re.compile(r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])")
_ADDRESS = re.compile(
    r"\A\W{0,3}(?:You|Your|You're|You've|You'll)(?![\w'])|"
    r"\b[Tt](?:he|his) (?:ai |AI |virtual )?(?:assistant|chatbot|language model)\b"
    r"(?! (?:of an?|of my|at|manager|coach|professor|director|principal|teacher|cook|chef)\b)"
    r"|\ban? (?:chatbot|language model|ai assistant)\b"
    r"(?! (?:company|startup|project|app|team|developer|product|vendor))"
    rf"|\A(?i:(?:(?:please|always|never|just|now|secretly) )?{_PATTERNS['order_beginnings']}\b)"
)

_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def is_prompt_injection(text: str) -> bool:
    """Whether the text gives the model orders, poses as a part of its prompt, or clearly claims authority."""
    return any(_ORDER.search(form) or _is_squashed(form) for form in readable_forms(text)) or any(
        claim_score(sentence) > _MIN_CLAIM_SCORE for sentence in read_sentences(text)
    )


def _is_squashed(text: str) -> bool:
    """Whether an order is written as one word, or as letters that stand alone."""
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
