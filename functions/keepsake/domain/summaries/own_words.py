"""Quotes what a person said: each message whole, without what no summary may tell.

For summaries without a model: nothing is worded anew, and only a sentence that is too long is cut, between clauses, if
nothing after it takes it back. So none loses of whom it is or when it was, and what is a quote is true. Of two that say
nearly the same one is quoted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import groupby, islice

from keepsake.domain.context.outline import Item, Outline
from keepsake.domain.context.said_words import SaidWords, key_words
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.evidence.text_forms import stopwords
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.reading.message import MASK
from keepsake.domain.screening.readable_text import UNSPACED_LETTER
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.summaries.compose_sentences import DateWords, in_quotes, series
from keepsake.domain.summaries.false_sentences.denials import is_negation
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.summaries.summary_words import SummaryWords, words_for, words_in
from keepsake.domain.text import split_at_sentences, words

_MAX_LENGTH = 240
"""Characters of a quote: of a longer message the first sentences are quoted, of a longer sentence the first clauses."""
_CLAUSE_END = re.compile(r"(?<=[;,:]) |(?= (?:and|so|because|then) (?:i|we|he|she|they|it|my)\b)", re.IGNORECASE)
_SAME_SHARE = 0.7
"""The share of the words of a quote that another one has at least, which says nearly the same."""
_MAX_SCREENED = 200
"""Quotes that are screened for one text at most."""
_LEFT_OUT, _MIN_SHARE, _MIN_WORDS, _MIN_LETTERS = "…", 0.4, 2, 3
"""What stands for a sentence that is left out; the share of a message that must be told, and be no question; and the
words of three letters of a quote that name something, if nothing is remembered of it."""
_QUESTION = re.compile(r"[?？؟՞]|(?<=[\u0370-\u03ff]);")
"""The question marks of all scripts: the Greek one is a semicolon."""
_QUOTATION = re.compile(
    r"[\"“«„‹‚「『][^\"“”«»„‹›‚‘「」『』.!?…。！？]{0,500}[.!?…。！？][^\"“”«»„‹›‘」』]{0,1500}[\"”»“›‘」』]"
)
"""Sentences in quotation marks, which others have said: alone they would be the person's."""
_SHOUT = re.compile(r"!!|\b[A-ZÀ-ÖØ-Þ]{4,}\b")
_MAX_REPLY = 3
_MARKS = 4
"""Characters around a quote, and around the day of several."""
_PER_DAY = 2
"""Quotes of each day that come before a third one of any."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted of a message, by its sentences (empty where one is left out); and how much it tells."""

    sentences: tuple[str, ...]
    message: SaidMessage
    weight: float
    statement: str = ""
    """The memory that it became, where it is a single sentence and became one."""

    @property
    def text(self) -> str:
        """The sentences, with a mark where others are left out."""
        space = " " if any(map(str.isspace, self.message.own_text)) else ""
        return space.join(space.join(run) if kept else _LEFT_OUT for kept, run in groupby(self.sentences, bool))

    @property
    def day(self) -> date:
        """When it was said."""
        return self.message.said_at.date()

    def screened(self) -> Quote | None:
        """What of it a summary may tell; asked of those alone for which there is room, as it takes long."""
        kept = _screen(self.message.own_text, self.sentences)
        return replace(self, sentences=kept) if _is_enough(kept, "".join(self.sentences)) else None


def find_quotes(messages: Sequence[SaidMessage], memories: Sequence[SourceMemory], spoken: SummaryWords) -> list[Quote]:
    """What can be quoted of each message, in their order.

    Nothing is quoted of which a memory has other words than rules gave it: it was put right, or a model read it; and
    nothing of a message of which something was forgotten, as the rest may tell of it.
    """
    by_id = {one.id: one for one in memories}
    reworded = {one.id: one.text for one in memories if not one.is_by_rules}
    already = SaidWords.of(reworded.values())
    before: set[str] = set()
    found: dict[str, Quote] = {}
    for message, language in zip(messages, _languages(messages, spoken), strict=True):
        sentences = tuple(_within_limit(_sentences(message.own_text), is_english=language.is_english))
        stating = [one for one in sentences if one and not (_QUESTION.search(one) or language.asks(one))]
        weight = _weight(sentences, message, before)
        is_stated = not reworded.keys().isdisjoint(message.memory_ids) or all(map(already.has, stating))
        if weight and not (is_stated or message.is_forgotten) and _is_enough(stating, message.own_text[:_MAX_LENGTH]):
            became = [by_id[one].text for one in message.memory_ids if one in by_id]
            statement = became[0] if len(became) == len(sentences) == 1 else ""
            found.setdefault(message.own_text.casefold(), Quote(sentences, message, weight, statement))
        before |= key_words(message.own_text)
    return list(found.values())


def choose_quotes(quotes: Sequence[Quote], max_count: int) -> list[str]:
    """The quotes that tell most, in their order."""
    ranked = sorted(range(len(quotes)), key=lambda at: -quotes[at].weight)[:_MAX_SCREENED]
    screened = ((at, one) for at in ranked if (one := quotes[at].screened()))
    return [one.text for _, one in sorted(islice(screened, max_count), key=lambda item: item[0])]


def describe_quotes(quotes: Sequence[Quote], say_date: DateWords | None, limit: int, heading: str = "") -> Outline:
    """The quotes that tell most within ``limit`` characters, day by day."""
    counts: Counter[date] = Counter()
    ranked = []
    for index in sorted(range(len(quotes)), key=lambda at: -quotes[at].weight / len(quotes[at].text)):
        counts[quotes[index].day] += 1
        ranked.append((counts[quotes[index].day] > _PER_DAY, index))
    by_label: dict[str, dict[int, Quote]] = {}
    room, left, chosen = limit - len(heading), _MAX_SCREENED, list[Quote]()
    for _, index in sorted(ranked, key=lambda one: one[0]):
        label = f"{say_date(quotes[index].day)}:" if say_date else ""
        cost = len(quotes[index].text) + _MARKS
        cost += 0 if label in by_label else len(label) + _MARKS
        if cost > room or not left or any(_is_same(quotes[index], one) for one in chosen):
            continue
        left -= 1
        if screened := quotes[index].screened():
            by_label.setdefault(label, {})[index] = screened
            chosen.append(quotes[index])
            room -= cost
    return _outline(by_label, heading)


def _is_same(quote: Quote, other: Quote) -> bool:
    """Whether a quote says the same as another and a few words more, none of them a figure or a negation."""
    fewer, more = sorted((frozenset(words(quote.text)), frozenset(words(other.text))), key=len)
    is_near = fewer <= more and len(fewer) >= _SAME_SHARE * len(more)
    return is_near and not any(any(map(str.isdigit, word)) or is_negation(word) for word in more - fewer)


def _outline(by_label: Mapping[str, Mapping[int, Quote]], heading: str) -> Outline:
    """The chosen quotes by the days of their messages, both in their order."""
    sentences = [
        series(label, [Item(in_quotes(one.text), one.statement or one.text) for _, one in sorted(chosen.items())])
        for label, chosen in sorted(by_label.items(), key=lambda one: min(one[1]))
    ]
    return Outline(sentences, heading if sentences else "")


def _languages(messages: Sequence[SaidMessage], spoken: SummaryWords) -> list[SummaryWords]:
    """The language of each message; of one that is not known, that of the others that are not English."""
    found = [words_for([one.own_text.replace(MASK, " ")]) for one in messages]
    not_english = Counter(one.language for one in found if one.frames and not one.is_english).most_common(1)
    usual = words_in(not_english[0][0]) if not_english else spoken
    return [one if one.frames else usual for one in found]


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text; empty where one is in others' words."""
    for sentence in split_at_sentences(_QUOTATION.sub(lambda match: MASK * len(match[0]), text)):
        yield "" if MASK in sentence else sentence


def _is_enough(sentences: Sequence[str], text: str) -> bool:
    """Whether these are most of a text: what is left of a few words may be about those that are not shown."""
    return sum(map(len, sentences)) >= _MIN_SHARE * len(text)


def _within_limit(sentences: Iterator[str], *, is_english: bool) -> list[str]:
    """The first sentences that are short enough together; the first clauses of the first one, where it is too long."""
    kept: list[str] = []
    room = _MAX_LENGTH
    for sentence in sentences:
        room -= len(sentence)
        if room < 0:
            begun = _first_clauses(sentence) if is_english and not kept else ""
            return [*filter(None, [begun]), *kept, ""]
        kept.append(sentence)
    return kept


def _first_clauses(sentence: str) -> str:
    """As many clauses as have room; empty where what follows may take them back, or say whose words they are."""
    ends = [match.start() for match in _CLAUSE_END.finditer(sentence) if match.start() <= _MAX_LENGTH]
    if not ends or not load_words("takes_back", __package__).isdisjoint(words(sentence[ends[-1] :])):
        return ""
    return sentence[: ends[-1]].rstrip(" ,;:")


@lru_cache(maxsize=512)
def _screen(text: str, sentences: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of a text that a summary may tell; empty in the place of others."""
    if find_secrets(text):
        return ()
    visible = {*split_at_sentences(mask_secrets(text))}  # an amount may be one by the sentence before
    shown = (one for one in sentences if one in visible or any(whole.startswith(one) for whole in visible if one))
    may_be_shown = frozenset(filter(_may_be_shown, shown))
    return tuple(one if one in may_be_shown else "" for one in sentences)


def _may_be_shown(sentence: str) -> bool:
    """Whether a sentence may be quoted; a short reply ("Said no.") claims nothing, though it reads like a claim."""
    said = words(sentence)
    is_reply = 0 < len(said) <= _MAX_REPLY and load_words("reply_words", __package__).issuperset(said)
    return is_reply or rejection_of_text(sentence) is None


def _weight(sentences: Sequence[str], message: SaidMessage, before: AbstractSet[str]) -> float:
    """How much a quote tells; 0 where it names nothing.

    What comes back to what was said ``before`` counts more, as it may tell what came of it.
    """
    text = " ".join(sentences)
    is_unspaced = bool(UNSPACED_LETTER.search(text))
    said = key_words(text) if is_unspaced else {word for word in words(text) if len(word) >= _MIN_LETTERS}
    names = said - stopwords()
    if len(names) < _MIN_WORDS and not (names and (is_unspaced or message.memory_ids)):
        return 0
    named = sum(2 if key_words(word) & before else 1 for word in names)
    return named + 5 * bool(_SHOUT.search(text)) + 2 * is_unspaced
