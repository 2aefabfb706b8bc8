"""Picks what a person said in words of their own: short sentences, and beginnings of longer ones.

For summaries without a model, in any language: nothing is worded anew. A quote has at most eight words. It is a
sentence, or several in a row; of a longer one the beginning, where the rest does not take it back. Questions are left
out, and what no summary may tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from keepsake.domain.context.outline import Item, Outline
from keepsake.domain.context.said_words import MOSTLY, SaidWords, key_words
from keepsake.domain.evidence.text_forms import folded_words, has_no_spaces, stopwords
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.summaries.compose_sentences import DateWords, in_quotes, series
from keepsake.domain.summaries.copied_words import MAX_COPIED
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.summary_words import SummaryWords
from keepsake.domain.text import split_at_sentences

_MIN_WORDS, _MIN_LAST, _MIN_WEIGHT = 2, 4, 2
_MAX_LENGTH, _MAX_SPACELESS = 90, 30
_WORD = re.compile(r"[^\W_](?:[\w'’.,-]*\w)?")
_SHOUT = re.compile(r"!!|\b[A-ZÀ-ÖØ-Þ]{4,}\b")
_PER_DAY = 2
"""Quotes of each day that come before a third one of any."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a message, where they stand among its sentences, and how much they tell."""

    text: str
    day: date
    weight: float
    sentences: range


def find_quotes(messages: Sequence[SaidMessage], told: Iterable[str], spoken: SummaryWords) -> list[Quote]:
    """What can be quoted of each message, in their order, without what is ``told`` in other words."""
    said = SaidWords.of(told)
    counts = Counter(word for message in messages for word in key_words(message.text))
    found = (quote for message in messages for quote in _quotes_of(message, spoken, counts))
    return [quote for quote in found if not said.has(quote.text, MOSTLY)]


def describe_quotes(quotes: Sequence[Quote], words: DateWords | None, limit: int, heading: str = "") -> Outline:
    """The quotes that tell most within ``limit`` characters, day by day."""
    by_weight = sorted(range(len(quotes)), key=lambda index: -quotes[index].weight)
    counts: dict[date, int] = {}
    ranked = []
    for index in by_weight:
        counts[quotes[index].day] = count = counts.get(quotes[index].day, 0) + 1
        ranked.append((count > _PER_DAY, index))
    chosen: set[int] = set()
    for _, index in sorted(ranked, key=lambda one: one[0]):
        if len(_outline(quotes, chosen | {index}, words, heading).text) <= limit:
            chosen.add(index)
    return _outline(quotes, chosen, words, heading)


def _outline(quotes: Sequence[Quote], chosen: Iterable[int], words: DateWords | None, heading: str) -> Outline:
    by_label: dict[str, list[Item]] = {}
    for quote in (quotes[index] for index in sorted(chosen)):
        label = f"{words(quote.day)}:" if words else ""
        text = f"{quote.text.rstrip('.')} …" if quote.text.endswith("..") else quote.text
        by_label.setdefault(label, []).append(Item(in_quotes(text), quote.text))
    return Outline([series(label, items) for label, items in by_label.items()], heading if by_label else "")


def _quotes_of(message: SaidMessage, spoken: SummaryWords, counts: Counter[str]) -> list[Quote]:
    """The quotes of a message that tell most, of which no two stand side by side."""
    kept: list[Quote] = []
    for one in sorted(_candidates(message, spoken, counts), key=lambda one: -one.weight):
        around = range(one.sentences.start - 1, one.sentences.stop + 1)
        if not any(set(around) & set(other.sentences) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.sentences.start)


def _candidates(message: SaidMessage, spoken: SummaryWords, counts: Counter[str]) -> Iterator[Quote]:
    sentences = [] if find_secrets(message.text) else split_at_sentences(message.text)
    for first in range(len(sentences)):
        before = ""
        for last, sentence in enumerate(sentences[first:], first):
            text = f"{before} {sentence}".strip()
            if not _is_tellable(sentence, spoken):
                break
            is_whole = _count(text) <= MAX_COPIED
            shown = text if is_whole else _cut(before, sentence, spoken)
            weight = _weight(shown, counts) + is_whole
            if weight > is_whole and not spoken.points_back(shown):
                yield Quote(shown, message.said_at.date(), weight, range(first, last + 1))
            if not is_whole:
                break
            before = text


def _is_tellable(sentence: str, spoken: SummaryWords) -> bool:
    is_question = "?" in sentence or spoken.asks(sentence)
    return not is_question and not sentence.endswith("!)") and rejection_of_text(sentence) is None


def _weight(text: str, counts: Counter[str]) -> float:
    """How much a quote tells; 0 where it cannot be read alone. What one comes back to counts more."""
    is_spaceless = has_no_spaces(text)
    is_complete = is_spaceless or _count(text) >= _MIN_WORDS
    if not is_complete or len(text) > (_MAX_SPACELESS if is_spaceless else _MAX_LENGTH):
        return 0
    found = [word for word in key_words(text) if word not in stopwords()]
    weight = sum(2 if counts[word] > 1 else 1 for word in found) + 2 * bool(found and _SHOUT.search(text))
    return weight if weight >= _MIN_WEIGHT else 0


def _count(text: str) -> int:
    return len(_WORD.findall(text))


def _cut(before: str, sentence: str, spoken: SummaryWords) -> str:
    """The first words of a sentence that is too long; empty where the rest may take them back."""
    found = list(_WORD.finditer(sentence))[: MAX_COPIED - _count(before)]
    while found and len(found[-1][0]) < _MIN_LAST and not found[-1][0][0].isdigit():
        found.pop()
    if len(found) < _MIN_WORDS or not spoken.frames:
        return ""
    end = found[-1].end()
    is_taken_back = any(map(spoken.takes_back, folded_words(sentence[end:])))
    return "" if is_taken_back else f"{before} {sentence[:end]} …".strip()
