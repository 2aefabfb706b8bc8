"""Picks what a person said in words of their own: short sentences, and the first parts of longer ones.

For summaries without a model, in any language: nothing is worded anew. A quote has at most eight words. It is a
sentence, or several in a row; of a longer one the beginning, where the rest does not take it back. Questions are left
out, and what no summary may tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, takewhile

from keepsake.domain.context.outline import Item, Outline
from keepsake.domain.context.said_words import MOSTLY, SaidWords, key_words
from keepsake.domain.evidence.text_forms import folded_words, stopwords
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.extraction.rules.message.quoted_text import MASK
from keepsake.domain.screening.homoglyphs import UNSPACED_LETTER
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.summaries.compose_sentences import DateWords, in_quotes, series
from keepsake.domain.summaries.copied_words import MAX_COPIED
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.summary_words import SummaryWords
from keepsake.domain.text import split_at_sentences

_MIN_WORDS, _MIN_WEIGHT, _MIN_ALONE = 2, 3, 8
_MAX_LENGTH, _LETTERS = 90, 4
_WORD = re.compile(r"[^\W_][\w'’]*+")
_LETTER = re.compile(r"[^\W\d_]")
_PART_END = re.compile(r"[,;:](?=\s)|\s[-–—]+\s|(?<!\d)[–—](?!\d)|[、，；：]")
"""Where a sentence may be cut: in the middle of a part it might lose what it is about."""
_INSERTED = re.compile(r"(?<![!?])[!?]++\)(?= )")
_QUESTION = re.compile(r"[?？؟՞]|(?<=[\u0370-\u03ff]);")
"""The question marks of all scripts: the Greek one is a semicolon."""
_QUOTATION = re.compile(r"[\"“«„][^\"“”«»„.!?…。！？]{0,500}[.!?…。！？][^\"“”«»„]{0,1500}[\"”»“]")
"""Sentences in quotation marks, which others have said: alone they would be the person's."""
_SHOUT = re.compile(r"!!|\b[A-ZÀ-ÖØ-Þ]{4,}\b")
_MARKS = 4
"""Characters around a quote, and around the day of several."""
_PER_DAY = 2
"""Quotes of each day that come before a third one of any."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences of a message that have eight words together, or the beginning of one; and how much they tell."""

    sentences: Sequence[str]
    message: SaidMessage
    weight: float

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(self.sentences)

    @property
    def day(self) -> date:
        """When it was said."""
        return self.message.said_at.date()

    @property
    def screened(self) -> Sequence[str]:
        """The sentences that a summary may tell; asked of those alone for which there is room, as it takes long."""
        text = self.message.own_text
        if find_secrets(text):
            return []
        visible = _sentences(mask_secrets(text))  # an amount may be one by the sentence before
        return [one for one in self.sentences if _is_harmless(one.rstrip(" …."), visible)]


def _is_harmless(beginning: str, visible: Sequence[str]) -> bool:
    begun = [one for one in visible if one.startswith(beginning)]
    return bool(begun) and all(rejection_of_text(one) is None for one in begun)


def find_quotes(messages: Sequence[SaidMessage], stated: Iterable[str], spoken: SummaryWords) -> list[Quote]:
    """What can be quoted of each message, in their order, without what is ``stated`` in other words."""
    said = SaidWords.of(stated)
    counts = Counter(word for message in messages for word in key_words(message.own_text))
    found: list[Quote] = []
    for message in messages:
        for sentences in _groups(message.own_text, spoken):
            text = " ".join(sentences)
            weight = _weight(text, counts)
            if weight >= _MIN_WEIGHT and not said.has(text, MOSTLY):
                found.append(Quote(sentences, message, weight))
    return found


def choose_quotes(quotes: Sequence[Quote], max_count: int) -> list[str]:
    """The quotes that tell most, in their order."""
    ranked = sorted(range(len(quotes)), key=lambda at: -quotes[at].weight)
    safe = islice(((at, found) for at in ranked if (found := quotes[at].screened)), max_count)
    return [sentence for _, found in sorted(safe) for sentence in found]


def describe_quotes(quotes: Sequence[Quote], words: DateWords | None, limit: int, heading: str = "") -> Outline:
    """The quotes that tell most within ``limit`` characters, day by day."""
    counts: Counter[date] = Counter()
    ranked = []
    for index in sorted(range(len(quotes)), key=lambda at: -quotes[at].weight / len(quotes[at].text) ** 0.5):
        counts[quotes[index].day] += 1
        ranked.append((counts[quotes[index].day] > _PER_DAY, index))
    by_label: dict[str, dict[int, Sequence[str]]] = {}
    room = limit - len(heading)
    for _, index in sorted(ranked, key=lambda one: one[0]):
        label = f"{words(quotes[index].day)}:" if words else ""
        cost = (label not in by_label) * (len(label) + _MARKS)
        cost += sum(len(one) + _MARKS for one in quotes[index].sentences)
        if cost <= room and (safe := quotes[index].screened):
            by_label.setdefault(label, {})[index] = safe
            room -= cost
    return _outline(by_label, heading)


def _outline(by_label: Mapping[str, Mapping[int, Sequence[str]]], heading: str) -> Outline:
    """The quotes by the days of their messages, both in their order."""
    sentences = []
    for label, chosen in sorted(by_label.items(), key=lambda one: min(one[1])):
        quoted = (sentence for index in sorted(chosen) for sentence in chosen[index])
        sentences.append(series(label, [Item(in_quotes(one), one) for one in quoted]))
    return Outline(sentences, heading if sentences else "")


def _sentences(text: str) -> list[str]:
    return split_at_sentences(_INSERTED.sub(")", text))


def _groups(text: str, spoken: SummaryWords) -> Iterator[Sequence[str]]:
    """The sentences of a message that can be quoted; short ones in a row together."""
    group: list[str] = []
    size = 0
    for sentence in _sentences(_QUOTATION.sub(lambda match: MASK * len(match[0]), text)):
        count = _count(sentence)
        shown = sentence if count <= MAX_COPIED else _first_parts(sentence, spoken)
        is_tellable = _is_tellable(shown, sentence, spoken)
        if not is_tellable or size + count > MAX_COPIED:
            yield group
            group, size = [], 0
        if is_tellable and (group or not spoken.points_back(sentence)):
            group.append(f"{shown.rstrip('.')} …" if shown.endswith("..") else shown)
            size += _count(shown)
    yield group


def _is_tellable(shown: str, sentence: str, spoken: SummaryWords) -> bool:
    if not _LETTER.search(shown) or MASK in sentence or shown.count("(") != shown.count(")"):
        return False
    is_alone = len(shown) >= _MIN_ALONE or _count(shown) >= _MIN_WORDS or _SHOUT.search(shown)
    return bool(is_alone) and not (_QUESTION.search(sentence) or spoken.asks(sentence))


def _weight(text: str, counts: Counter[str]) -> float:
    """How much a quote tells; 0 where it cannot be read alone. What one comes back to counts more."""
    if _count(text) < _MIN_WORDS or len(text) > _MAX_LENGTH:
        return 0
    found = [word for word in key_words(text) if word not in stopwords()]
    extra = 3 * bool(_SHOUT.search(text)) + (not text.endswith("…")) + 2 * bool(UNSPACED_LETTER.search(text))
    return sum(2 if counts[word] > 1 else 1 for word in found) + extra


def _count(text: str) -> int:
    """The words of a text; of a script without spaces some letters are one."""
    spaced, letters = UNSPACED_LETTER.subn(" ", text)
    return len(_WORD.findall(spaced)) - (-letters // _LETTERS)


def _first_parts(sentence: str, spoken: SummaryWords) -> str:
    """The first parts of a sentence that is too long, up to a mark; empty where the rest may take them back."""
    marks = (match.start() for match in _PART_END.finditer(sentence))
    ends = list(takewhile(lambda end: _count(sentence[:end]) <= MAX_COPIED, marks))
    if not ends or _count(sentence[: ends[-1]]) < _MIN_WORDS or not spoken.frames:
        return ""
    is_taken_back = any(map(spoken.takes_back, folded_words(sentence[ends[-1] :])))
    return "" if is_taken_back else f"{sentence[: ends[-1]]} …"
