"""The topics that a memory is about, and those that a message needs memories of, by one table of words.

A message seldom shares a word with what it needs: "what should I cook tonight?" concerns an allergy and a diet.
``topics.txt`` says which topics a word names, in messages and memories alike, and ``needed_topics.txt`` of which topics
a message about one needs memories.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from keepsake.domain.context.phrase_lookup import PhraseLookup
from keepsake.domain.context.query import extract_query, is_general_question, is_work_on_a_text
from keepsake.domain.english.kinship import words_for
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.english.word_groups import JOBS, LANGUAGES

_CLASSES: Mapping[str, Iterable[str]] = {
    "work": JOBS,
    "language": LANGUAGES.split("|"),
    "parents": words_for(("mother", "father", "parent")),
    "partner": words_for(("wife", "husband", "spouse", "partner", "girlfriend", "boyfriend", "fiance", "ex")),
    "children": words_for(("son", "daughter", "child", "baby", "toddler", "newborn", "twin")),
    "relatives": words_for((
        "sister", "brother", "sibling", "aunt", "uncle", "cousin", "niece", "nephew", "family", "godmother",
        "godfather", "grandmother", "grandfather", "grandparent", "grandchild", "grandson", "granddaughter",
    )),
    "friends": words_for(("friend", "best_friend", "roommate", "flatmate", "housemate")),
}  # fmt: skip
"""The topics of words that other lists have; where the table has one of them too, the table counts."""
_NEEDS_NOTHING = "nothing"
_MAX_WEIGHT = 3.0
"""The weight in ``needed_topics.txt`` of a topic that is needed most."""
_MAX_STRENGTH = 1.6
"""What a text has of a topic at most, where one word of it counts 1: further words say little more."""
_REPEATED_SHARE = 0.5
"""What each further word of a topic adds, of the strength of the first."""
_NEXT_TOPIC_SHARE = 0.3
"""What a second topic that needs the same memories adds to the first."""
_NOTHING: Mapping[str, float] = MappingProxyType({})


@lru_cache(maxsize=20_000)
def memory_topics(text: str) -> Mapping[str, float]:
    """The topics of a memory's text, with their strengths: those that some message needs memories of."""
    return MappingProxyType(_strengths(text, _needed()))


@lru_cache(maxsize=1_000)
def requested_topics(message: str) -> Mapping[str, float]:
    """The topics that a message needs memories of, each with a weight; none for work on a text, or told changes."""
    if is_general_question(message) or is_work_on_a_text(message):
        return _NOTHING
    topics = _strengths(extract_query(message), _needs().keys())
    if not all(map(_needs().get, topics)):
        return _NOTHING
    # A message about many topics asks less for the needs of each: by the square root of the norm of the strengths.
    breadth = sum(strength * strength for strength in topics.values()) ** 0.25
    requested: dict[str, float] = {}
    for topic, strength in topics.items():
        for needed, weight in _needs()[topic].items():
            share = strength * weight
            known = requested.get(needed, 0.0)
            requested[needed] = max(known, share) + _NEXT_TOPIC_SHARE * min(known, share)
    return MappingProxyType({topic: weight / breadth for topic, weight in requested.items()})


def _strengths(text: str, among: Collection[str]) -> dict[str, float]:
    """How much the text has of each topic: a phrase that names several says less about each of them."""
    strengths: dict[str, float] = {}
    for named in _lookup().find(text):
        topics = [topic for topic in named if topic in among]
        for topic in topics:
            strength = len(topics) ** -0.5
            strengths[topic] = strengths[topic] + _REPEATED_SHARE * strength if topic in strengths else strength
    return {topic: min(_MAX_STRENGTH, strength) for topic, strength in strengths.items()}


@cache
def _lookup() -> PhraseLookup:
    of_classes = {word.replace("_", " "): (topic,) for topic, words in _CLASSES.items() for word in words}
    of_table = {phrase: tuple(topics.split()) for phrase, topics in load_pairs("topics", __package__).items()}
    return PhraseLookup.of(of_classes | of_table)


@cache
def _needs() -> Mapping[str, Mapping[str, float]]:
    """What a message about a topic needs; a topic that needs nothing has no entries."""
    rows = load_pairs("needed_topics", __package__).items()
    return {topic: {} if needs == _NEEDS_NOTHING else dict(map(_weight, needs.split(", "))) for topic, needs in rows}


@cache
def _needed() -> frozenset[str]:
    return frozenset(topic for needs in _needs().values() for topic in needs)


def _weight(entry: str) -> tuple[str, float]:
    topic, weight = entry.split()
    return topic, float(weight) / _MAX_WEIGHT
