"""Says how often a person talked, and about what: where rules found little in their messages that can be told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from keepsake.domain.english.join_predicates import enumerate_items
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.evidence.language_words import calendar_names
from keepsake.domain.evidence.text_forms import fold
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.summary_words import SummaryWords, words_for
from keepsake.domain.text import words

_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+\b")
_WORD = re.compile(r"\w++")
_TIMES = frozenset(
    [*WEEKDAYS, *(month.casefold() for month in MONTHS), "today", "yesterday", "tomorrow", "tonight"]
    + [
        f"{unit}{end}"
        for unit in ("day", "night", "week", "month", "year", "hour", "minute", "weekend", *WEEKDAYS)
        for end in ("", "s")
    ]
    + ["morning", "evening", "afternoon", "people", "thing", "things", "first", "nobody"]
)
_MAX_TOPICS, _MIN_LENGTH, _MIN_MESSAGES, _MIN_SHARE, _ENOUGH = 3, 4, 2, 0.2, 4


def describe_talk(messages: Sequence[SaidMessage], spoken: SummaryWords, name: str = "") -> str:
    """How often the person of this name talked, and about what: "Wrote on 2 days, among other things …".

    Empty in a language that has no words for it; what it was about is known of English alone.
    """
    days = len({one.said_at.date() for one in messages})
    many = spoken.say("on_days", days=days) if days > 1 else spoken.say("wrote", count=len(messages))
    wrote = spoken.say("wrote_one") if len(messages) == 1 else many
    if not (messages and wrote):
        return ""
    text = f"{name} {wrote}" if name else f"{wrote[0].upper()}{wrote[1:]}"
    known = calendar_names(frozenset(words_for([one.text]).language for one in messages))
    topics = _topics(messages) if spoken.is_english else []
    topics = [one for one in topics if one != name and not spoken.is_article(one) and not known.senses(fold(one))][
        :_MAX_TOPICS
    ]
    return f"{spoken.say('about', text=text, topics=enumerate_items(topics))}." if topics else f"{text}."


def _topics(messages: Sequence[SaidMessage]) -> list[str]:
    """The people and nouns that many messages have, and nothing private; of a few messages else whom they name."""
    written = {name.casefold(): name for one in messages for name in _NAME.findall(one.text)}
    small = {word for one in messages for word in _WORD.findall(one.text) if word.islower()}
    names = {word: name for word, name in written.items() if word not in small and _is_name(word)}
    said = dict.fromkeys(word for one in messages for word in words(one.text))
    relatives = [word for word in said if kinship_of(word) and word not in names]
    people = [*names.values(), *relatives] if len(messages) > 1 else []
    counts: Counter[str] = Counter()
    for one in messages:
        used = dict.fromkeys(names.get(word, word) for word in words(one.text))
        counts.update(word for word in used if word in people or _is_topic(word))
    share = min(_MIN_SHARE * len(messages), _ENOUGH)
    found = [word for word, count in counts.most_common() if count >= max(_MIN_MESSAGES, share)]
    return [word for word in found if not is_sensitive_topic(word) and rejection_of_text(word) is None]


def _is_name(word: str) -> bool:
    return word not in STOPWORDS | _TIMES and not known_lemmas(word, "VERB")


def _is_topic(word: str) -> bool:
    if len(word) < _MIN_LENGTH or word in STOPWORDS | _TIMES or not word.isalpha():
        return False
    return bool(known_lemmas(word, "NOUN")) and not known_lemmas(word, "VERB")
