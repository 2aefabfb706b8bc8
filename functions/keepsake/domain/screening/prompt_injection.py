"""Recognizes prompt injection: text that gives orders to the language model instead of telling about the person."""

from __future__ import annotations

import re

from keepsake.domain.english.word_lists import load_alternations
from keepsake.domain.text import shorten_runs, strip_invisible

_PATTERNS = load_alternations("prompt_injection", __package__)
_SPELLED = re.compile(r"(?<!\w)(?:\w[-._*]){3,60}\w(?!\w)")
"""Letters with separators between them ("i-g-n-o-r-e")."""

_ADDRESS = re.compile(
    r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])|"
    r"\b(?:the|this|an?) (?:assistant|chatbot|language model)\b"
)
_ORDERS = re.compile(
    r"(?:please |always |never )?(?:remember|keep in mind|decode|obey|act as|ignore|disregard)\b", re.IGNORECASE
)
_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")
_INSTRUCTION = re.compile(f"{_PATTERNS['english']}|{_PATTERNS['other_languages']}", re.IGNORECASE)


def is_prompt_injection(text: str) -> bool:
    """Whether the text tells the model what to do."""
    visible = shorten_runs(strip_invisible(text))
    joined = _SPELLED.sub(lambda match: re.sub(r"[-._* ]", "", match[0]), visible)
    return any(_INSTRUCTION.search(form) is not None for form in dict.fromkeys((visible, joined)))


def addresses_model(memory: str) -> bool:
    """Whether the text of a memory addresses or mentions the assistant, or is an order."""
    unquoted = _QUOTED_TITLE.sub("", strip_invisible(memory))
    return _ADDRESS.search(unquoted) is not None or _ORDERS.match(unquoted) is not None
