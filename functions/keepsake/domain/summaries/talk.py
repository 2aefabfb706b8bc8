"""Says how often a person talked, and about what: where rules found little in their messages that can be told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.enumeration import enumerate_items
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.text import words

_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+\b")
_TIMES = frozenset(
    [*WEEKDAYS, *(month.casefold() for month in MONTHS), "today", "yesterday", "tomorrow", "tonight"]
    + [
        f"{unit}{end}"
        for unit in ("day", "night", "week", "month", "year", "hour", "minute", "weekend")
        for end in ("", "s")
    ]
    + ["morning", "evening", "afternoon", "people", "thing", "things"]
)
_MAX_TOPICS, _MIN_LENGTH, _MIN_MESSAGES = 3, 4, 2


def describe_talk(messages: Sequence[SaidMessage], name: str = "") -> str:
    """How often the person of this name talked, and about what: "Wrote 5 messages on 2 days, among other things …"."""
    if not messages:
        return ""
    days = len({one.said_at.date() for one in messages})
    times = "a message" if len(messages) == 1 else f"{len(messages)} messages"
    wrote = f"{name} wrote" if name else "Wrote"
    text = f"{wrote} {times}" if days == 1 else f"{wrote} {times} on {days} days"
    topics = _topics(messages)
    return f"{text}, among other things about {enumerate_items(topics)}." if topics else f"{text}."


def _topics(messages: Sequence[SaidMessage]) -> list[str]:
    """The people and nouns that most messages have, more than one and nothing private; else whom one message names."""
    names = {
        name.casefold(): name for one in messages for name in _NAME.findall(one.text) if not _is_topic(name.casefold())
    }
    names = {
        word: name for word, name in names.items() if not known_lemmas(word, "VERB") and word not in STOPWORDS | _TIMES
    }
    said = [word for one in messages for word in words(one.text)]
    people = [*names.values(), *dict.fromkeys(word for word in said if kinship_of(word))] if len(messages) > 1 else []
    counts: Counter[str] = Counter()
    for one in messages:
        counts.update(
            {names.get(word, word) for word in words(one.text) if word in {*names, *people} or _is_topic(word)}
        )
    found = [word for word, count in counts.most_common() if count >= _MIN_MESSAGES]
    found = [word for word in found or people if not is_sensitive_topic(word) and rejection_of_text(word) is None]
    return found[:_MAX_TOPICS]


def _is_topic(word: str) -> bool:
    if len(word) < _MIN_LENGTH or word in STOPWORDS | _TIMES or not word.isalpha():
        return False
    return bool(known_lemmas(word, "NOUN")) and not known_lemmas(word, "VERB")
