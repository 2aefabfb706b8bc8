"""Recognizes prompt injection: text that gives orders to the language model instead of telling about the person."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.deobfuscation import SPACED_LETTERS, readable_forms
from keepsake.domain.screening.homoglyphs import UNSPACED_LETTER, fold_homoglyphs
from keepsake.domain.screening.sentences import read_sentences
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

_PATTERNS = load_alternations("prompt_injection", __package__, start=rf"(?:\b|(?={UNSPACED_LETTER.pattern}))")
_ORDER = re.compile("|".join(_PATTERNS[section] for section in ("frames", "orders", "elsewhere")))
_SQUASHED = re.compile(_PATTERNS["squashed"])
_MAYBE_SQUASHED = re.compile(r"[^\W_]{12}")
_NO_LETTERS = re.compile(r"[\W_]+")
_MIN_CLAIM_SCORE = 4.0
"""Above this score a sentence is an order in a message or a summary too, not only in a memory about somebody."""

_SECOND_PERSON = re.compile(r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])")
_ADDRESS = re.compile(
    r"\A\W{0,3}(?:You|Your|You're|You've|You'll)(?![\w'])|"
    r"\b[Tt](?:he|his) (?:ai |AI |virtual )?(?:assistant|chatbot|language model)\b"
    r"(?! (?:of an?|of my|at|manager|coach|professor|director|principal|teacher|cook|chef)\b)"
    r"|\ban? (?:chatbot|language model|ai assistant)\b"
    r"(?! (?:company|startup|project|app|team|developer|product|vendor))"
)
_ORDER_BEGINNING = re.compile(
    rf"(?:(?:please|always|never|just|now|secretly) )?{_PATTERNS['order_beginnings']}\b", re.IGNORECASE
)
_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def is_prompt_injection(text: str) -> bool:
    """Whether the text gives the model orders, poses as a part of its prompt, or clearly claims authority."""
    visible = shorten_runs(normalize_apostrophes(strip_invisible(text)).lower())
    return (
        any(map(_ORDER.search, readable_forms(visible)))
        or _is_squashed(fold_homoglyphs(visible))
        or any(claim_score(sentence) > _MIN_CLAIM_SCORE for sentence in read_sentences(text))
    )


def _is_squashed(text: str) -> bool:
    """Whether an order is written as one word, or with blanks between its letters."""
    if not (SPACED_LETTERS.search(text) or _MAYBE_SQUASHED.search(text)):
        return False
    return _SQUASHED.search(_NO_LETTERS.sub("", text)) is not None


def addresses_model(memory: str, *, may_contain_speech: bool = False) -> bool:
    """Whether the text of a memory addresses or mentions the assistant, or is an order.

    Text that ``may_contain_speech``, such as a file from elsewhere, says "you" to other people.
    """
    unquoted = fold_homoglyphs(_QUOTED_TITLE.sub("", normalize_apostrophes(strip_invisible(memory))))
    if not may_contain_speech and _SECOND_PERSON.search(unquoted) is not None:
        return True
    return _ADDRESS.search(unquoted) is not None or _ORDER_BEGINNING.match(unquoted) is not None
