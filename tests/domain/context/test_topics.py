"""The topics of memories, and those that a message asks for."""

from __future__ import annotations

import pytest

from keepsake.domain.context.topics import memory_topics, requested_topics
from keepsake.domain.english.load_word_lists import load_lines, load_pairs

_PACKAGE = "keepsake.domain.context"


@pytest.mark.parametrize(
    "text, topic",
    [
        ("Is allergic to shellfish", "allergy"),
        ("Has been vegetarian since school", "diet"),
        ("Lives in Porto with two flatmates", "home"),
        ("Daughter Ines is four", "children"),
        ("Has a bad knee", "pain"),
        ("Takes warfarin", "medicine"),
        ("Is afraid of heights", "fear"),
        ("Has two cats", "pets"),
    ],
)
def test_memory_topics__what_it_is_about(text: str, topic: str) -> None:
    assert topic in memory_topics(text)


@pytest.mark.parametrize(
    "message, topics",
    [
        ("what should I cook tonight?", {"allergy", "diet", "food"}),
        ("where can we go on saturday with the kids?", {"home", "children", "transport"}),
        ("can i take ibuprofen for this", {"medicine", "allergy", "illness"}),
        ("a gift for my sister?", {"relatives"}),
        ("I keep waking up at 3am", {"sleep", "shift"}),
        ("how can I fix my back pain?", {"pain"}),
        ("what should I put on my packing list for the flight?", {"travel"}),
    ],
)
def test_requested_topics__what_the_message_needs(message: str, topics: set[str]) -> None:
    assert topics <= requested_topics(message).keys()


@pytest.mark.parametrize(
    "message",
    [
        "Who invented the microwave oven?",
        "Translate into French: I take my medicine at dinner",
        "please rewrite this: my kids eat at seven",
        "Give me ten synonyms of hungry",
        "good morning!",
        "we moved to Leeds and the kids love it",
        "I quit my job on Friday",
        "moved to Leeds, and the kids love it",
        "fix my essay about pain",
        "Wie geht es dir?",
    ],
)
def test_requested_topics__none_for_the_world_for_work_on_texts_and_for_changes(message: str) -> None:
    assert not requested_topics(message)


def test_needed_topics__words_name_them() -> None:
    named = {topic for topics in load_pairs("topics", _PACKAGE).values() for topic in topics.split()}
    needs = load_pairs("needed_topics", _PACKAGE)
    needed = {entry.split()[0] for entries in needs.values() for entry in entries.split(", ")} - {"nothing"}
    assert needed <= named
    assert named <= needs.keys() | needed


def test_table__no_entry_twice() -> None:
    phrases = [line.partition(" = ")[0] for line in load_lines("topics", _PACKAGE)]
    assert len(phrases) == len(set(phrases))
