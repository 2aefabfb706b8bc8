"""Picks what a person said in words of their own: short whole sentences, and the first parts of longer ones.

For summaries without a model: nothing is worded anew. A quoted sentence has at most eight words and can be read alone.
Of a longer sentence it is the beginning, where that is whole and the rest does not take it back. A message is quoted
whole; of a longer one only what it says somebody does. Questions are left out, what a later message has overtaken, and
what no summary may tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice
from uuid import UUID

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
from keepsake.domain.summaries.followed_up import is_followed_up
from keepsake.domain.summaries.names_in_messages import names_in
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.standalone_sentences import is_about_person, names_others, stands_alone
from keepsake.domain.summaries.summary_words import SummaryWords, words_for, words_in
from keepsake.domain.text import split_at_sentences

_MAX_LENGTH, _LETTERS = 90, 4
_WORD = re.compile(r"[^\W_][\w'’]*+")
_LETTER = re.compile(r"[^\W\d_]")
_PART_END = re.compile(r"[,;:](?=\s)|\s[-–—]+\s|(?<!\d)[–—](?!\d)|[、，；：]|(?<!\s)\s[:;]-?[()DP](?=\s)")
"""Where a sentence may be cut: in the middle of a part it might lose what it is about."""
_QUESTION = re.compile(r"[?？؟՞]|(?<=[\u0370-\u03ff]);")
"""The question marks of all scripts: the Greek one is a semicolon."""
_QUOTATION = re.compile(r"[\"“«„][^\"“”«»„.!?…。！？]{0,500}[.!?…。！？][^\"“”«»„]{0,1500}[\"”»“]")
"""Sentences in quotation marks, which others have said: alone they would be the person's."""
_SHOUT = re.compile(r"!!|\b[A-ZÀ-ÖØ-Þ]{4,}\b")
_MAX_UNTOLD = 3
"""Words of a message that neither its quotes nor what is stated tell: more may give these another sense."""
_MARKS = 4
"""Characters around a quote, and around the day of several."""
_SESSION = timedelta(minutes=30)
"""How long what is said without a subject may be of somebody named before."""
_PER_DAY = 2
"""Quotes of each day that come before a third one of any."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a message that has eight words at most, or the beginning of one; and how much it tells."""

    text: str
    message: SaidMessage
    weight: float

    @property
    def day(self) -> date:
        """When it was said."""
        return self.message.said_at.date()

    @property
    def is_harmless(self) -> bool:
        """Whether a summary may tell it; asked of those alone for which there is room, as it takes long."""
        text = self.message.own_text
        if find_secrets(text):
            return False
        visible = split_at_sentences(mask_secrets(text))  # an amount may be one by the sentence before
        beginning = self.text.rstrip(" ….")
        begun = [one for one in visible if one.startswith(beginning) or one.rstrip(" ….") in beginning]
        return bool(begun) and all(rejection_of_text(one) is None for one in begun)


def find_quotes(
    messages: Sequence[SaidMessage], stated: Iterable[str], spoken: SummaryWords, known_names: Iterable[str] = ()
) -> list[Quote]:
    """What can be quoted of each message, in their order, without what is ``stated`` in other words."""
    already = SaidWords.of(stated)
    counts = Counter(word for message in messages for word in key_words(message.own_text))
    names = names_in(messages, known_names)
    others: dict[UUID, datetime] = {}
    found: list[Quote] = []
    for index, (message, language) in enumerate(zip(messages, _languages(messages, spoken), strict=True)):
        if language.is_jest(message.own_text):
            continue
        spoke_of_others = others.get(message.conversation_id)
        quotes, untold = [], _count(message.own_text)
        for sentence in _sentences(message.own_text):
            is_of_author = spoke_of_others is None or message.said_at - spoke_of_others > _SESSION
            text = _quotable(sentence, language, names, may_omit_subject=is_of_author)
            if names_others(sentence, language, names):
                spoke_of_others = others[message.conversation_id] = message.said_at
            if already.has(sentence, MOSTLY):
                untold -= _count(sentence)
                continue
            later = (one.text for one in messages[index + 1 :])
            if not text or is_followed_up(text, later, language):
                continue
            untold -= _count(text)
            if weight := _weight(text, counts):
                quotes.append(Quote(text, message, weight))
        if untold <= _MAX_UNTOLD:
            found += _joined(quotes)
        else:
            found += [one for one in quotes if is_about_person(one.text, language, names)]
    return found


def _joined(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes of a whole message as one, as each may need the others."""
    if not quotes:
        return []
    space = " " if any(map(str.isspace, quotes[0].message.own_text)) else ""
    text = space.join(one.text for one in quotes)
    return [replace(quotes[0], text=text, weight=sum(one.weight for one in quotes))]


def _languages(messages: Sequence[SaidMessage], spoken: SummaryWords) -> list[SummaryWords]:
    """The language of each message; of one that is not known, that of the others that are not English."""
    found = [words_for([one.own_text.replace(MASK, " ")]) for one in messages]
    not_english = Counter(one.language for one in found if one.frames and not one.is_english).most_common(1)
    usual = words_in(not_english[0][0]) if not_english else spoken
    return [one if one.frames else usual for one in found]


def choose_quotes(quotes: Sequence[Quote], max_count: int) -> list[str]:
    """The quotes that tell most, in their order."""
    ranked = sorted(range(len(quotes)), key=lambda at: -quotes[at].weight)
    safe = islice((at for at in ranked if quotes[at].is_harmless), max_count)
    return [quotes[at].text for at in sorted(safe)]


def describe_quotes(quotes: Sequence[Quote], words: DateWords | None, limit: int, heading: str = "") -> Outline:
    """The quotes that tell most within ``limit`` characters, day by day."""
    counts: Counter[date] = Counter()
    ranked = []
    for index in sorted(range(len(quotes)), key=lambda at: -quotes[at].weight / len(quotes[at].text) ** 0.5):
        counts[quotes[index].day] += 1
        ranked.append((counts[quotes[index].day] > _PER_DAY, index))
    by_label: dict[str, list[int]] = {}
    room = limit - len(heading)
    for _, index in sorted(ranked, key=lambda one: one[0]):
        label = f"{words(quotes[index].day)}:" if words else ""
        cost = (label not in by_label) * (len(label) + _MARKS) + len(quotes[index].text) + _MARKS
        if cost <= room and quotes[index].is_harmless:
            by_label.setdefault(label, []).append(index)
            room -= cost
    return _outline(quotes, by_label, heading)


def _outline(quotes: Sequence[Quote], by_label: Mapping[str, Sequence[int]], heading: str) -> Outline:
    """The chosen quotes by the days of their messages, both in their order."""
    sentences = []
    for label, chosen in sorted(by_label.items(), key=lambda one: min(one[1])):
        sentences.append(
            series(label, [Item(in_quotes(text), text) for text in (quotes[at].text for at in sorted(chosen))])
        )
    return Outline(sentences, heading if sentences else "")


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text but for those that break off, and for what they go on with."""
    is_broken = False
    for sentence in split_at_sentences(_QUOTATION.sub(lambda match: MASK * len(match[0]), text)):
        was_broken, is_broken = is_broken, sentence.endswith(("..", "…"))
        if not was_broken and not is_broken:
            yield sentence


def _quotable(sentence: str, spoken: SummaryWords, names: Collection[str], *, may_omit_subject: bool) -> str:
    """The sentence, or its longest beginning that can be read alone; empty where there is none."""
    if MASK in sentence or not _LETTER.search(sentence) or _QUESTION.search(sentence) or spoken.asks(sentence):
        return ""
    ends = [match.start() for match in _PART_END.finditer(sentence)] if spoken.frames else []
    for end in (len(sentence), *reversed(ends)):
        shown, rest = sentence[:end], sentence[end:]
        is_short = _count(shown) <= MAX_COPIED and shown.count("(") == shown.count(")")
        if not is_short or any(map(spoken.takes_back, folded_words(rest))):
            continue
        if UNSPACED_LETTER.search(shown) or stands_alone(shown, spoken, names, may_omit_subject=may_omit_subject):
            return f"{shown} …" if rest else shown
    return ""


def _weight(text: str, counts: Counter[str]) -> float:
    """How much a quote tells; 0 where it names nothing. What one comes back to counts more."""
    found = [word for word in key_words(text) if word not in stopwords()]
    if not found or len(text) > _MAX_LENGTH:
        return 0
    extra = 3 * bool(_SHOUT.search(text)) + (not text.endswith("…")) + 2 * bool(UNSPACED_LETTER.search(text))
    return sum(2 if counts[word] > 1 else 1 for word in found) + extra


def _count(text: str) -> int:
    """The words of a text; of a script without spaces some letters are one."""
    spaced, letters = UNSPACED_LETTER.subn(" ", text)
    return len(_WORD.findall(spaced)) - (-letters // _LETTERS)
