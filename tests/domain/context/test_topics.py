"""The topics of memories, and those that a message asks for."""

from __future__ import annotations

import pytest

from keepsake.domain.context.phrase_lookup import singular_words
from keepsake.domain.context.topics import memory_topics, requested_topics
from keepsake.domain.english.load_word_lists import load_sections

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
    ],
)
def test_requested_topics__none_for_the_world_for_work_on_texts_and_for_changes(message: str) -> None:
    assert not requested_topics(message)


def test_subject_topics__names_subjects_and_topics_that_exist() -> None:
    requests = load_sections("subject_topics", _PACKAGE)
    assert requests.keys() == load_sections("message_subjects", _PACKAGE).keys()
    topics = {entry.partition(" = ")[0] for entries in requests.values() for entry in entries}
    assert topics <= load_sections("memory_topics", _PACKAGE).keys()


@pytest.mark.parametrize("name", ["memory_topics", "message_subjects"])
def test_lists__no_entry_twice_in_a_section(name: str) -> None:
    for section, entries in load_sections(name, _PACKAGE).items():
        assert len(entries) == len({tuple(singular_words(entry)) for entry in entries}), section
