"""Grounding: checks that a model's memory rests on the person's own words.

A model may quote only the person's message, not the assistant, nor memories it was shown. An old memory with an
unrelated quote ("Thanks!") is refused too: the statement and its quote must share content words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal, get_args

from keepsake.domain.english.similarity import says_the_same
from keepsake.domain.evidence.text_forms import stopwords
from keepsake.domain.extraction.evidence import Evidence, EvidenceError, questions, quoted_clauses
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Memory
from keepsake.domain.reading.message import is_unreadable
from keepsake.domain.reading.statements import is_stated
from keepsake.domain.text import normalize_apostrophes, normalize_words, stem, strip_invisible, words

GroundingError = (
    Literal[
        "invented_quote",
        "quote_of_assistant",
        "quote_of_injected",
        "ungrounded",
        "invented_name",
        "not_stated",
        "repeats_injected",
    ]
    | EvidenceError
)
GROUNDING_ERRORS: frozenset[str] = frozenset(chain.from_iterable(map(get_args, get_args(GroundingError))))

_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
STOPWORDS = stopwords()
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<![\w'-])[A-Z][\w-]+")
_PREFIX_LENGTH = 4
"""Letters that two forms of a word must have in common."""

_FIRST_CJK_CHARACTER = "\u2e80"


@dataclass(frozen=True)
class GroundingSources:
    """The person's message, which may be quoted, and the texts that may not."""

    message: str
    assistant: str | None = None
    injected: Sequence[str] = ()
    """The memories in the contexts of this conversation when the person wrote."""

    chart: str = ""
    """The birth chart in the prompt."""

    known: Sequence[Memory] = ()
    """The memories in the prompt, in the order of their numbers."""

    previous: Sequence[str] = ()
    """The person's own messages before, newest first."""

    said_on: date | None = None
    """The day of the message in the person's time zone."""

    verdict: Verdict = Verdict.USABLE
    """How good the model is: on it depends how strict the check is."""

    author_names: Sequence[str] = ()
    """Name and nickname of the person."""

    @cached_property
    def is_english(self) -> bool:
        """Whether the message can be compared word for word."""
        return not is_unreadable(self.unquoted_message)

    def is_english_quote(self, quote: str, text: str) -> bool:
        """Whether the quoted words that a statement repeats are English: one message may be in two languages."""
        if not self.is_english:
            return False
        pieces = self.evidence(quote).pieces(text) or [quote]
        return not all(map(is_unreadable, pieces))

    def evidence(self, quote: str, memory: Memory | None = None, *, is_about_self: bool = True) -> Evidence:
        """What a statement with this quote may rest on, where the message is in English.

        Somebody else may be named in another clause ("my son started school, his name is Idris").
        """
        context = [questions(self.assistant), memory.text if memory else ""]
        if not is_about_self:
            context.append(self.unquoted_message)
        return Evidence(quoted_clauses(quote, self.unquoted_message), quote, " ".join(context))

    def has_noun(self, noun: str) -> bool:
        """Whether the person mentions such a person, animal or thing of theirs ("my landlord", "two old cats")."""
        before = r"(?:my|our|an?|the|two|three|four) (?:[\w'-]+ ){0,2}"
        pattern = rf"(?<!\w){before}{re.escape(noun.replace('_', ' '))}(?:'?s)?(?!\w)"
        return re.search(pattern, normalize_apostrophes(self.unquoted_message), re.IGNORECASE) is not None

    @cached_property
    def unquoted_message(self) -> str:
        """The message without its lines of quoted text."""
        return _QUOTED_LINE.sub("", self.message)

    def find_quote(self, quote: str) -> str | None:
        """The quote as the person wrote it in the message; None where it is not in it."""
        parts = _casefold_aligned(quote).strip(" \"'“”„«»").split()
        if not parts or not words(quote):
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
        found = pattern.search(_casefold_aligned(self.unquoted_message))
        if found is None:
            return None
        located = self.unquoted_message[found.start() : found.end()]
        return " ".join(located.split())


def grounding_error(
    sources: GroundingSources, *, text: str, value: str, quote: str | None, cited: str
) -> GroundingError | None:
    """Why a statement is not grounded, or None; ``quote`` is what was found of the text it ``cited``."""
    if quote is None:
        return quote_error(sources, cited)
    evidence = _TokenSet(quote)
    said = f"{text} {value}"
    if said.strip() and not any(map(evidence.covers, _content_words(said))):
        return "ungrounded"
    if _has_invented_name(text, sources.message):
        return "invented_name"
    if not is_stated(quote, sources.unquoted_message, is_english=sources.is_english):
        return "not_stated"
    if any(
        normalize_words(memory) == normalize_words(text) or says_the_same(memory, text) for memory in sources.injected
    ):
        message_words = _TokenSet(sources.unquoted_message)
        return None if all(map(message_words.covers, _content_words(text))) else "repeats_injected"
    return None


def _has_invented_name(text: str, message: str) -> bool:
    """Whether the statement contains names, and none of them occurs in the person's message."""
    names = [name for name in _NAME.findall(text) if name.lower() not in STOPWORDS]
    message_words = _TokenSet(message)
    short = {"".join(name[0] for name in names).lower(), *(name.lower() for name in names)}
    return bool(names) and not any(map(message_words.covers, map(str.lower, names))) and not short & set(words(message))


def quote_error(sources: GroundingSources, cited: str) -> GroundingError:
    """Whose words a quote has that does not stand in the message."""
    quote = normalize_words(cited)
    if quote and sources.assistant and quote in normalize_words(sources.assistant):
        return "quote_of_assistant"
    if quote and any(quote in normalize_words(memory) for memory in sources.injected):
        return "quote_of_injected"
    return "invented_quote"


@lru_cache(maxsize=64)
def _casefold_aligned(text: str) -> str:
    """The text normalized for comparing quotes, without a change of its length."""
    normalized = normalize_apostrophes(text)
    folded = (unicodedata.normalize("NFKC", character) for character in normalized)
    return "".join(one if len(one) == 1 else character for one, character in zip(folded, normalized, strict=True))


class _TokenSet:
    """The content words of a text, with their stems and prefixes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _content_words(text)
        self._stems = frozenset(map(stem, self.words))
        self._prefixes = frozenset(word[:_PREFIX_LENGTH] for word in self.words)

    def covers(self, word: str) -> bool:
        """Whether the word occurs here in any form; in scripts without spaces, any two characters of it."""
        if word in self.words or stem(word) in self._stems:
            return True
        if any(character >= _FIRST_CJK_CHARACTER for character in word):
            return any(word[i : i + 2] in self.text for i in range(max(1, len(word) - 1)))
        return len(word) >= _PREFIX_LENGTH and word[:_PREFIX_LENGTH] in self._prefixes


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(stem(word) for word in words(text) if word not in STOPWORDS)


def _content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(strip_invisible(text).replace("_", " ")) if word not in STOPWORDS)
