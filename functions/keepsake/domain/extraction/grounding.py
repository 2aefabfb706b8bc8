"""Whether a model's memory rests on the person's own words, or on the assistant's, on a memory shown to it, or on none.

A model may cite only what stands in the person's message. That alone does not keep it from putting an old memory
beside an idle quote ("Thanks!"), so the statement and its quote must also share what they are about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from keepsake.domain.english.similarity import says_the_same
from keepsake.domain.extraction.rules import is_stated
from keepsake.domain.text import normalise, reveal, stem, straighten, vocabulary, words

Fault = Literal[
    "invented_quote", "quote_of_assistant", "quote_of_injected", "ungrounded", "invented_name", "not_stated",
    "repeats_injected",
]  # fmt: skip

_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_IDLE = vocabulary("""
    a an the and or but so to of in on at for with from by as is are am was were be been has have had do does did
    that this these those it its i i'm i've i'd my me mine we our us you your he she his her they them their person
    user not no yes ok okay really very just also too now still thanks thank great good nice like likes well
    there here what which who when where how more most some any all one feel feels name named called
""")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<![\w'-])[A-Z][\w-]+")
_HEAD = 4
"""Letters two forms of a word have in common, at the least."""

_FIRST_WITHOUT_SPACES = "\u2e80"


@dataclass(frozen=True)
class Sources:
    """What there is to cite: the person's message; and what may not be cited."""

    said: str
    assistant: str | None = None
    injected: Sequence[str] = ()
    """The memories this conversation's contexts held when the person wrote."""

    chart: str = ""
    """The birth chart as the model was shown it."""

    @cached_property
    def own_words(self) -> str:
        """The person's message without the lines in which they quote."""
        return _QUOTED_LINE.sub("", self.said)

    def locate(self, quote: str) -> str | None:
        """The stretch of the person's message that the quote is, as they wrote it."""
        parts = _foldable(quote).strip(" \"'“”„«»").split()
        if not parts or not words(quote):
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
        found = pattern.search(_foldable(self.own_words))
        if found is None:
            return None
        whole = self.own_words[found.start() : found.end()]
        return " ".join(whole.split())


def fault_of(sources: Sources, *, text: str, value: str, quote: str | None, cited: str) -> Fault | None:
    """What is wrong with a statement's evidence; ``quote`` is what was located of what it ``cited``."""
    if quote is None:
        return _where_else(sources, cited)
    evidence = _Bag(quote)
    if not any(map(evidence.holds, _content(f"{text} {value}"))):
        return "ungrounded"
    if _names_nobody_said(text, sources.said):
        return "invented_name"
    if not is_stated(quote, sources.own_words):
        return "not_stated"
    if any(normalise(memory) == normalise(text) or says_the_same(memory, text) for memory in sources.injected):
        own = _Bag(sources.own_words)
        return None if all(map(own.holds, _content(text))) else "repeats_injected"
    return None


def _names_nobody_said(text: str, said: str) -> bool:
    """Whether the statement names somebody or some place, and none of its names stands in the person's message."""
    names = [name for name in _NAME.findall(text) if name.lower() not in _IDLE]
    own = _Bag(said)
    short = {"".join(name[0] for name in names).lower(), *(name.lower() for name in names)}
    return bool(names) and not any(map(own.holds, map(str.lower, names))) and not short & set(words(said))


def _where_else(sources: Sources, cited: str) -> Fault:
    wanted = normalise(cited)
    if wanted and sources.assistant and wanted in normalise(sources.assistant):
        return "quote_of_assistant"
    if wanted and any(wanted in normalise(memory) for memory in sources.injected):
        return "quote_of_injected"
    return "invented_quote"


def _foldable(text: str) -> str:
    """The text in the form quotes are compared in, character for character as long as before."""
    plain = straighten(text)
    folded = (unicodedata.normalize("NFKC", character) for character in plain)
    return "".join(one if len(one) == 1 else character for one, character in zip(folded, plain, strict=True))


class _Bag:
    """What a text is about: its words without those that every text has, and their stems."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _content(text)
        self._stems = frozenset(map(stem, self.words))
        self._heads = frozenset(word[:_HEAD] for word in self.words)

    def holds(self, word: str) -> bool:
        """Whether the word stands here in any of its forms; in scripts without spaces, any two characters of it."""
        if word in self.words or stem(word) in self._stems:
            return True
        if any(character >= _FIRST_WITHOUT_SPACES for character in word):
            return any(word[i : i + 2] in self.text for i in range(max(1, len(word) - 1)))
        return len(word) >= _HEAD and word[:_HEAD] in self._heads


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(reveal(text).replace("_", " ")) if word not in _IDLE)
