"""Masks clauses in which a picture stands for a noun: without it they say nothing ("I play 🎸 every day")."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.rules.message.quoted_text import MASK

_WORDS = load_alternations("emoji_nouns", __package__)
_PICTURE = "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf]"
_JOINED = "[\u200d\ufe0f\U0001f3fb-\U0001f3ff\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf]{0,20}"
_NOUN = re.compile(rf"(?<![\w']){_WORDS['before']} {_PICTURE}{_JOINED}(?={_WORDS['after']})", re.IGNORECASE)
_CLAUSE = re.compile(r"[^.!?\n,;]+")


def mask_emoji_nouns(text: str) -> str:
    """The text, of the same length, without the clauses whose noun is a picture."""
    return _CLAUSE.sub(lambda match: MASK * len(match[0]) if _NOUN.search(match[0]) else match[0], text)
