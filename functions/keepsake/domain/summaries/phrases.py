"""The phrases of a summary without a model: what is stored, as it stands in the middle of a sentence, with its day.

"Wants to run a marathon" becomes "to run a marathon" among plans, "Feels tired" becomes "tired" among feelings. Nothing
else of the words is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from itertools import groupby

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.summaries.sentences import DateWords, enumerate_items
from keepsake.domain.summaries.sources import SourceMemory

_FEELING = re.compile(r"^(?:feels?|felt|is feeling) (?=\w)", re.IGNORECASE)
_PLAN = re.compile(r"^(?:wants|plans|hopes|intends|would like|(?:the )?goal is) (?=to \w)", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[A-Z][a-z]+(?![\w'’-])")


def phrases(memories: Iterable[SourceMemory]) -> list[str]:
    """The words of memories."""
    return [_phrase(one) for one in memories]


def plans(memories: Iterable[SourceMemory], words: DateWords | None = None) -> list[str]:
    """What was planned; with ``words`` also when the plan ended."""
    shown = ((_PLAN.sub("", _phrase(one)), one.ended) for one in memories)
    return [f"{text} ({words(ended)})" if words and ended else text for text, ended in shown]


def changes(memories: Iterable[SourceMemory], words: DateWords) -> list[str]:
    """What is so, since when, and what was so before."""
    return [
        f"{_phrase(one)} ({words(one.day)}; before: {_bare(one.replaced_text or '', one.entity_label)})"
        for one in memories
    ]


def endings(memories: Iterable[SourceMemory], words: DateWords) -> list[str]:
    """What ended, and when."""
    return [f"{_phrase(one)} (until {words(one.ended)})" for one in memories if one.ended]


def feelings(memories: Iterable[SourceMemory], words: DateWords | None) -> list[str]:
    """Each feeling, with its days where there are words for them."""
    days: dict[str, list[date]] = {}
    for one in memories:
        days.setdefault(_FEELING.sub("", _phrase(one)), []).append(one.day)
    if words is None:
        return list(days)
    return [f"{text} ({enumerate_items(list(dict.fromkeys(map(words, on))), 4)})" for text, on in days.items()]


def shifts(memories: Iterable[SourceMemory], words: DateWords) -> list[str]:
    """The feelings of each day, in the order of the days: "Monday: tired, happy"."""
    days = groupby(memories, key=lambda one: one.day)
    return [f"{words(day)}: {', '.join(feelings(some, None))}" for day, some in days]


def _phrase(memory: SourceMemory) -> str:
    return _bare(memory.text, memory.entity_label)


def _bare(text: str, label: str | None) -> str:
    """The text without its last period, and with a small first letter where its first word is no name."""
    bare = " ".join(text.split()).rstrip(". ")
    first = _FIRST_WORD.match(bare)
    if first is None or first[0] in (label or "").split() or not _is_common(first[0].lower()):
        return bare
    return f"{bare[0].lower()}{bare[1:]}"


def _is_common(word: str) -> bool:
    """Whether a word is a verb or a relation, which begin most memories, and so no name."""
    return bool(known_lemmas(word, "VERB") or kinship_of(word))
