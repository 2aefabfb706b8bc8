"""The day of several people in one prompt: nothing that one of them said is in the part of another."""

from __future__ import annotations

import json
from datetime import date
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.cited import items_of, text_of
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.shared_conversation_day import DayOfPerson, build_shared_prompt, split_parts
from keepsake.domain.summaries.sources import SourceMemory, SummarySources

DAY = Period(Level.DAY, date(2024, 10, 31))


def person(number: int, *texts: str) -> DayOfPerson:
    """Somebody who said these things that day."""
    memories = [
        SourceMemory(UUID(int=100 * number + index), MemoryType.FACT, Subtype.OTHER, text, DAY.first)
        for index, text in enumerate(texts)
    ]
    return DayOfPerson(SummarySources(memories), Author(f"Person{number}"))


def parts_of(people: list[DayOfPerson], reply: dict[str, str | list[str]]) -> list[dict[str, str | list[str]] | None]:
    """What is kept of a reply, for each person."""
    prompt = build_shared_prompt(DAY, people, budget=9000)
    parts = split_parts(people, prompt.form.read(json.dumps(reply), prompt.evidence).content)
    return [
        None if part is None else {"summary": text_of(part, "summary"), "key_themes": items_of(part, "key_themes")}
        for part in parts
    ]


def test_prompt__has_a_part_and_fields_for_each_letter() -> None:
    prompt = build_shared_prompt(DAY, [person(1, "Likes ramen"), person(2, "Has a dog")], budget=9000)
    assert list(prompt.form.texts) == ["summary_a", "summary_b"]
    assert list(prompt.form.lists) == ["key_themes_a", "key_themes_b"]
    assert [part["letter"] for part in prompt.data["people"]] == ["a", "b"]
    shown = [(part["texts"][0]["n"], part["texts"][0]["text"]) for part in prompt.data["people"]]
    assert shown == [(1, "Likes ramen"), (2, "Has a dog")]


def test_parts__have_only_what_their_own_person_said() -> None:
    people = [person(1, "Likes ramen", "Lives in Graz"), person(2, "Has a dog named Rex")]
    first, second = parts_of(
        people,
        {
            "summary_a": "Person1 likes ramen [1]. Person1 has a dog named Rex [3]. Person1 has a dog [1].",
            "key_themes_a": ["ramen [1]", "the dog [1]"],
            "summary_b": "Person2 lives in Graz [2].",
            "key_themes_b": ["dog [3]", "Graz [3]"],
        },
    )
    assert first == {"summary": "Person1 likes ramen.", "key_themes": ["ramen"]}
    assert second is None


MARKERS = st.text("bcdfghjklmnpqrstvwxz", min_size=6, max_size=12).map(lambda text: "xq" + text)


@settings(deadline=None)  # the first call loads the word lists
@given(
    markers=st.lists(MARKERS, min_size=2, max_size=5, unique=True),
    template=st.sampled_from(["{} and {}", "likes {} but not {}", "{}, {}", "told of {}'s {}"]),
    is_title=st.booleans(),
)
def test_marker__of_one_person_is_in_no_part_of_another(markers: list[str], template: str, *, is_title: bool) -> None:
    people = [person(index, f"Likes {marker} very much") for index, marker in enumerate(markers)]
    reply: dict[str, str | list[str]] = {}
    for index, letter in enumerate("abcde"[: len(markers)]):
        other = markers[(index + 1) % len(markers)]
        shown = other.title() if is_title else other
        reply[f"summary_{letter}"] = (
            f"Person{index} likes {markers[index]} [{index + 1}]."
            f" Person{index} {template.format(markers[index], shown)} [{index + 1}]."
        )
        reply[f"key_themes_{letter}"] = [
            f"{theme} [{index + 1}]" for theme in (shown, markers[index], template.format(shown, markers[index]))
        ]
    parts = parts_of(people, reply)
    for index, part in enumerate(parts):
        shown_part = str(part).casefold()
        assert markers[index] in shown_part
        assert not any(
            marker in shown_part for marker in markers if marker not in markers[index] and marker != markers[index]
        )
