"""Recognizes prompt injection: text that gives orders to the language model instead of telling about the person."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations, load_fragments
from keepsake.domain.screening.deobfuscation import SPACED_LETTERS, readable_forms
from keepsake.domain.screening.homoglyphs import UNSPACED_LETTER, fold_homoglyphs
from keepsake.domain.text import normalize_apostrophes, shorten_runs, strip_invisible

_PATTERNS = load_alternations("prompt_injection", __package__)
_NO_LETTERS = re.compile(r"[\W_]+")
_MAYBE_SQUASHED = re.compile(r"[^\W_]{12}")

_SECOND_PERSON = re.compile(r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])")
_ADDRESS = re.compile(
    r"\A\W{0,3}(?:You|Your|You're|You've|You'll)(?![\w'])|"
    r"\b[Tt](?:he|his) (?:ai |AI |virtual )?(?:assistant|chatbot|language model)\b"
    r"(?! (?:of an?|of my|at|manager|coach|professor|director|principal|teacher|cook|chef)\b)"
    r"|\ban? (?:chatbot|language model|ai assistant)\b"
    r"(?! (?:company|startup|project|app|team|developer|product|vendor))"
)
_ORDERS = re.compile(_PATTERNS["orders"], re.IGNORECASE)
_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")


def _compile(section: str) -> re.Pattern[str]:
    """One pattern for lower-case text; what begins at a word is tried at the beginnings of words only."""
    entries = load_fragments("prompt_injection", __package__)[section]
    at_words = [entry.removeprefix(r"\b") for entry in entries if entry.startswith(r"\b")]
    anywhere = [entry for entry in entries if not entry.startswith(r"\b")]
    if at_words:
        anywhere.append(rf"\b(?=\w)(?:{'|'.join(at_words)})")
    return re.compile(unicodedata.normalize("NFKC", "|".join(anywhere)))


_ENGLISH, _ELSEWHERE, _UNSPACED = _compile("english"), _compile("other_languages"), _compile("unspaced")
_SQUASHED = re.compile(_PATTERNS["squashed"])


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def is_prompt_injection(text: str) -> bool:
    """Whether the text tells the model what to do, or claims authority over it."""
    visible = shorten_runs(normalize_apostrophes(strip_invisible(text)).lower())
    if _ELSEWHERE.search(visible) is not None:
        return True
    if not visible.isascii() and UNSPACED_LETTER.search(visible) and _UNSPACED.search(visible) is not None:
        return True
    if any(_ENGLISH.search(form) is not None for form in readable_forms(visible)):
        return True
    return _is_squashed(fold_homoglyphs(visible))


def _is_squashed(text: str) -> bool:
    """Whether an order is written as one word, or with blanks between its letters."""
    if not (SPACED_LETTERS.search(text) or _MAYBE_SQUASHED.search(text)):
        return False
    return _SQUASHED.search(_NO_LETTERS.sub("", text).casefold()) is not None


def addresses_model(memory: str, *, may_contain_speech: bool = False) -> bool:
    """Whether the text of a memory addresses or mentions the assistant, or is an order.

    Text that ``may_contain_speech``, such as a file from elsewhere, says "you" to other people.
    """
    unquoted = fold_homoglyphs(_QUOTED_TITLE.sub("", normalize_apostrophes(strip_invisible(memory))))
    if not may_contain_speech and _SECOND_PERSON.search(unquoted) is not None:
        return True
    return _ADDRESS.search(unquoted) is not None or _ORDERS.match(unquoted) is not None
