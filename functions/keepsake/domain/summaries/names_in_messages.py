"""The names in messages of a person who may write them in small letters, and texts with names as they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import PartOfSpeech, known_lemmas
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.said import SaidMessage

_TITLE = re.compile(r"\b(Mrs?|Ms|Dra?|Prof|St)\.(?= )")
_WORD = re.compile(r"[^\W_][\w'-]*")
_MID_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+\b")
_START_NAME = re.compile(r"(?:^|[.!?(] ?)([A-ZÀ-ÖØ-Þ][a-zà-ÿ]+)\b")
_AFTER_ARTICLE = re.compile(r"\b(?:the|an?|this|that|my|some|no) ([a-zà-ÿ]+)\b")
_KINDS: Sequence[PartOfSpeech] = ("NOUN", "VERB", "ADJ", "ADV")
_OTHER_WORDS = frozenset({"may", "march"})
"""Names of months that are other words too."""


def names_in(messages: Sequence[SaidMessage], labels: Iterable[str]) -> frozenset[str]:
    """The names in messages, in small letters: ``labels``, what is written as one, or is unknown and comes up again."""
    names = {word.casefold() for label in labels for word in _WORD.findall(label)}
    starts: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for message in messages:
        names |= {name.casefold() for name in _MID_NAME.findall(_TITLE.sub(r"\1", message.text))}
        starts.update({name.casefold() for name in _START_NAME.findall(message.text)})
        small.update({word for word in _WORD.findall(message.text) if word.islower()})
    names |= {word for word, count in starts.items() if count > 1 and word not in small and not _is_adjective(word)}
    names |= {word for word, count in small.items() if count > 1 and word.isalpha() and not _is_word(word)}
    return frozenset(word for word in names if word not in STOPWORDS and kinship_of(word) is None)


def names_of_known(texts: Iterable[str]) -> list[str]:
    """The names in what is known of people: "Gene" of "Brother is named Gene"."""
    return [name for text in texts for name in _MID_NAME.findall(text)]


def written_names(messages: Sequence[SaidMessage], names: Iterable[str]) -> list[str]:
    """The names with a capital, without those that are nouns in small letters: "the rehab"."""
    nouns = {word for message in messages for word in _AFTER_ARTICLE.findall(message.text)}
    return [name.capitalize() for name in names if name not in nouns]


def with_capitals(text: str, labels: Iterable[str]) -> str:
    """The text with names, months and days of the week as they are written."""
    written = {label.casefold(): label for label in labels}
    written |= {word.casefold(): word.capitalize() for word in (*WEEKDAYS, *MONTHS)}
    return _WORD.sub(lambda match: match[0] if match[0] in _OTHER_WORDS else written.get(match[0], match[0]), text)


def _is_adjective(word: str) -> bool:
    return bool(known_lemmas(word, "ADJ") or known_lemmas(word, "ADV"))


def _is_word(word: str) -> bool:
    """Whether it is a word of the language."""
    return word in STOPWORDS or any(known_lemmas(word, kind) for kind in _KINDS)
