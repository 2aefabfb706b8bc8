"""The topics that a memory is about, and those that a message needs memories of, by word lists.

A message seldom shares a word with what it needs: "what should I cook tonight?" concerns an allergy and a diet. Its
words tell its subjects (``message_subjects.txt``), each subject asks for topics (``subject_topics.txt``), and the words
of a memory tell its topics (``memory_topics.txt``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from keepsake.domain.context.general_question import is_general_question
from keepsake.domain.context.phrase_lookup import PhraseLookup, singular_words
from keepsake.domain.context.query import extract_query
from keepsake.domain.english.load_word_lists import load_sections, load_words

_MAX_WEIGHT = 3.0
"""The weight in ``subject_topics.txt`` of a topic that a subject needs most."""
_MAX_STRENGTH = 1.6
"""What a text has of a topic or a subject at most, where one word of it counts 1."""
_NEXT_SUBJECT_SHARE = 0.3
"""What a second subject that asks for a topic adds to the first."""
_NOTHING: Mapping[str, float] = MappingProxyType({})


@lru_cache(maxsize=20_000)
def memory_topics(text: str) -> Mapping[str, float]:
    """The topics of a memory's text, with their strengths."""
    return _limited(_lookup("memory_topics").strengths(text))


@lru_cache(maxsize=1_000)
def requested_topics(message: str) -> Mapping[str, float]:
    """The topics that a message needs memories of, each with a weight; none for work on a text, or told changes."""
    if is_general_question(message) or _asks_for_no_topic(message):
        return _NOTHING
    subjects = _limited(_lookup("message_subjects").strengths(extract_query(message)))
    # A message about many subjects asks less for the topics of each: by the square root of the norm of the strengths.
    breadth = sum(strength * strength for strength in subjects.values()) ** 0.25
    requested: dict[str, float] = {}
    for subject, strength in subjects.items():
        for topic, weight in _topics_of_subjects()[subject].items():
            share = strength * weight
            known = requested.get(topic, 0.0)
            requested[topic] = max(known, share) + _NEXT_SUBJECT_SHARE * min(known, share)
    return MappingProxyType({topic: weight / breadth for topic, weight in requested.items()})


def _asks_for_no_topic(message: str) -> bool:
    """Whether a message wants work on a text or a sum, tells a change, or says nothing beside a greeting."""
    words = singular_words(extract_query(message))
    if not words or words[0] in load_words("text_tasks", __package__):
        return True
    return next(_lookup("messages_without_topics").find(words), None) is not None


def _limited(strengths: Mapping[str, float]) -> Mapping[str, float]:
    """The strengths, none above the maximum: further words of a topic say little more."""
    return MappingProxyType({name: min(_MAX_STRENGTH, strength) for name, strength in strengths.items()})


@cache
def _lookup(name: str) -> PhraseLookup:
    return PhraseLookup.load(name, __package__)


@cache
def _topics_of_subjects() -> Mapping[str, Mapping[str, float]]:
    sections = load_sections("subject_topics", __package__)
    return {subject: dict(map(_weight, entries)) for subject, entries in sections.items()}


def _weight(entry: str) -> tuple[str, float]:
    topic, _, weight = entry.partition(" = ")
    return topic, float(weight) / _MAX_WEIGHT
