"""Quotes what a person said: their messages whole, without questions and without what no summary may tell.

For summaries without a model: nothing is worded anew, and no sentence is cut. So none loses what takes it back, of whom
it is or when it was, and what is a quote is true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, islice

from keepsake.domain.context.outline import Item, Outline
from keepsake.domain.context.said_words import MOSTLY, SaidWords, key_words
from keepsake.domain.evidence.text_forms import stopwords
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.extraction.rules.message.quoted_text import MASK
from keepsake.domain.screening.authority_claims import clearly_claims_authority
from keepsake.domain.screening.homoglyphs import UNSPACED_LETTER
from keepsake.domain.screening.prompt_injection import addresses_model, is_prompt_injection
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.summaries.compose_sentences import DateWords, in_quotes, series
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.summaries.summary_words import SummaryWords, words_for, words_in
from keepsake.domain.text import split_at_sentences, words

_MAX_LENGTH = 240
"""Characters of a quote: of a longer message the first sentences are quoted, and of a longer sentence nothing."""
_LEFT_OUT, _MIN_SHARE, _MIN_WORDS = "…", 0.4, 2
"""What stands for a sentence that is left out; the share of a message that must stay, as the rest may need the whole;
and the words of a quote that name something, if nothing is remembered of it."""
_WORD = re.compile(r"\w++")
_FEW_WORDS, _MIN_LETTERS = 3, 3
_LETTER = re.compile(r"[^\W\d_]")
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
    """What is quoted of a message, by its sentences (empty where one is left out); and how much it tells."""

    sentences: Sequence[str]
    message: SaidMessage
    weight: float

    @property
    def text(self) -> str:
        """The sentences, with a mark where others are left out."""
        space = " " if any(map(str.isspace, self.message.own_text)) else ""
        return space.join(_LEFT_OUT if not kept else space.join(run) for kept, run in groupby(self.sentences, bool))

    @property
    def day(self) -> date:
        """When it was said."""
        return self.message.said_at.date()

    def screened(self) -> Quote | None:
        """What of it a summary may tell; asked of those alone for which there is room, as it takes long."""
        text = self.message.own_text
        if find_secrets(text):
            return None
        visible = {*split_at_sentences(mask_secrets(text))}  # an amount may be one by the sentence before
        kept = [one if one in visible and _may_be_shown(one) else "" for one in self.sentences]
        return replace(self, sentences=kept) if _is_enough(kept, "".join(self.sentences)) else None


def find_quotes(messages: Sequence[SaidMessage], stated: Iterable[SourceMemory], spoken: SummaryWords) -> list[Quote]:
    """What can be quoted of each message, in their order; none of which a memory is ``stated`` beside it.

    Such a memory may be in better words, or put right by the person.
    """
    memories = list(stated)
    already, ids = SaidWords.of(one.text for one in memories), {one.id for one in memories}
    before: set[str] = set()
    found: dict[str, Quote] = {}
    for message, language in zip(messages, _languages(messages, spoken), strict=True):
        sentences = [*_sentences(message.own_text, language)]
        is_new = ids.isdisjoint(message.memory_ids) and any(not already.has(one, MOSTLY) for one in sentences if one)
        is_clear = _is_enough(sentences, message.own_text)
        sentences = _within_limit(sentences)
        if is_new and is_clear and (weight := _weight(sentences, message, before)):
            found.setdefault(message.own_text.casefold(), Quote(sentences, message, weight))
        before |= key_words(message.own_text)
    return list(found.values())


def choose_quotes(quotes: Sequence[Quote], max_count: int) -> list[str]:
    """The quotes that tell most, in their order."""
    ranked = sorted(range(len(quotes)), key=lambda at: -quotes[at].weight)
    screened = ((at, one) for at in ranked if (one := quotes[at].screened()))
    return [one.text for _, one in sorted(islice(screened, max_count), key=lambda item: item[0])]


def describe_quotes(quotes: Sequence[Quote], say_date: DateWords | None, limit: int, heading: str = "") -> Outline:
    """The quotes that tell most within ``limit`` characters, day by day."""
    counts: Counter[date] = Counter()
    ranked = []
    for index in sorted(range(len(quotes)), key=lambda at: -quotes[at].weight / len(quotes[at].text) ** 0.5):
        counts[quotes[index].day] += 1
        ranked.append((counts[quotes[index].day] > _PER_DAY, index))
    by_label: dict[str, dict[int, str]] = {}
    room = limit - len(heading)
    for _, index in sorted(ranked, key=lambda one: one[0]):
        label = f"{say_date(quotes[index].day)}:" if say_date else ""
        cost = (label not in by_label) * (len(label) + _MARKS) + len(quotes[index].text) + _MARKS
        if cost <= room and (screened := quotes[index].screened()):
            by_label.setdefault(label, {})[index] = screened.text
            room -= cost
    return _outline(by_label, heading)


def _outline(by_label: Mapping[str, Mapping[int, str]], heading: str) -> Outline:
    """The chosen quotes by the days of their messages, both in their order."""
    sentences = [
        series(label, [Item(in_quotes(text), text) for _, text in sorted(chosen.items())])
        for label, chosen in sorted(by_label.items(), key=lambda one: min(one[1]))
    ]
    return Outline(sentences, heading if sentences else "")


def _languages(messages: Sequence[SaidMessage], spoken: SummaryWords) -> list[SummaryWords]:
    """The language of each message; of one that is not known, that of the others that are not English."""
    found = [words_for([one.own_text.replace(MASK, " ")]) for one in messages]
    not_english = Counter(one.language for one in found if one.frames and not one.is_english).most_common(1)
    usual = words_in(not_english[0][0]) if not_english else spoken
    return [one if one.frames else usual for one in found]


def _sentences(text: str, spoken: SummaryWords) -> Iterator[str]:
    """The sentences of a text; empty where one is a question, or in others' words."""
    for sentence in split_at_sentences(_QUOTATION.sub(lambda match: MASK * len(match[0]), text)):
        if _LETTER.search(sentence) or MASK in sentence:
            is_question = _QUESTION.search(sentence) or spoken.asks(sentence)
            yield "" if is_question or MASK in sentence else sentence


def _is_enough(sentences: Sequence[str], text: str) -> bool:
    """Whether these are most of a text: what is left of a few words may be about those that are not shown."""
    return sum(map(len, sentences)) >= _MIN_SHARE * len(text)


def _within_limit(sentences: Sequence[str]) -> list[str]:
    """The first sentences that are short enough together."""
    kept: list[str] = []
    room = _MAX_LENGTH
    for sentence in sentences:
        room -= len(sentence)
        if room < 0:
            return [*kept, ""]
        kept.append(sentence)
    return kept


def _may_be_shown(sentence: str) -> bool:
    """Whether a summary may tell a sentence; a very short one ("Said no.") claims only what it clearly claims."""
    reason = rejection_of_text(sentence)
    if reason != "instruction" or len(_WORD.findall(sentence)) > _FEW_WORDS:
        return reason is None
    return not any(check(sentence) for check in (is_prompt_injection, addresses_model, clearly_claims_authority))


def _weight(sentences: Sequence[str], message: SaidMessage, before: AbstractSet[str]) -> float:
    """How much a quote tells; 0 where it names nothing.

    What comes back to what was said ``before`` counts more, as it may tell what came of it, and what is remembered.
    """
    text = " ".join(sentences)
    is_unspaced = bool(UNSPACED_LETTER.search(text))
    said = key_words(text) if is_unspaced else {word for word in words(text) if len(word) >= _MIN_LETTERS}
    found = said - stopwords()
    if len(found) < _MIN_WORDS and not (found and (is_unspaced or message.memory_ids)):
        return 0
    names = sum(2 if key_words(word) & before else 1 for word in found)
    return (names + 3 * bool(_SHOUT.search(text)) + 2 * is_unspaced) * (2 if message.memory_ids else 1)
