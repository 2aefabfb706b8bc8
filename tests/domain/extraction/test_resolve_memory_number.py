"""Which memory a model may say that its statement is about: one it was shown, that the quote has to do with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_reply import ParsedReply, read_reply
from keepsake.domain.memory import Relation
from tests.support.memories import memory, stated_memory

KNOWN = (
    stated_memory("I work at Tesco"),
    stated_memory("I live in Austin"),
    memory("Brother lives in Oslo", key="relationship|person|brother|home", value="oslo"),
)


def read(said: str, **given: Any) -> ParsedReply:
    member = {"type": "fact", "quote": said, **given}
    return read_reply(json.dumps({"memories": [member]}), GroundingSources(said, known=KNOWN))


@pytest.mark.parametrize(
    "said, given, place",
    [
        ("not at Tesco any more", {"relation": "ends", "number": 1, "text": "No longer works at Tesco"}, 0),
        ("handed in my notice", {"relation": "doubts", "number": 1, "text": ""}, 0),
        ("we're in Denver now", {"relation": "replaces", "number": 2, "text": "Lives in Denver"}, 1),
        ("still living in Austin", {"relation": "repeats", "number": 2, "text": "Lives in Austin"}, 1),
    ],
)
def test_number_that_was_shown__is_the_memory_it_stands_for(said: str, given: dict[str, Any], place: int) -> None:
    (candidate,) = read(said, **given).candidates
    assert (candidate.relation, candidate.related_id) == (Relation(given["relation"]), KNOWN[place].id)


@pytest.mark.parametrize("relation", ["repeats", "replaces", "ends", "doubts"])
@pytest.mark.parametrize("number", [0, -1, 4, 10**9])
def test_number_that_was_not_shown__is_rejected(relation: str, number: int) -> None:
    reading = read("not at Tesco any more", relation=relation, number=number, text="No longer works at Tesco")
    assert (reading.candidates, reading.dropped) == ((), {"unknown_number": 1})


@pytest.mark.parametrize("relation", ["repeats", "replaces", "ends", "doubts"])
def test_number_that_has_nothing_to_do_with_the_quote__is_rejected(relation: str) -> None:
    reading = read("cut out coffee completely", relation=relation, number=1, text="Cut out coffee")
    assert (reading.candidates, reading.dropped) == ((), {"unrelated_number": 1})


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"relation": "loves", "number": 1, "text": "Left Tesco"}, "unknown_relation"),
        ({"relation": "doubts", "number": None, "text": "Left Tesco"}, "unknown_number"),
        ({"relation": "replaces", "number": 3, "text": "Lives in Denver"}, "other_subject"),
    ],
)
def test_relation__that_cannot_be_is_rejected(given: dict[str, Any], reason: str) -> None:
    said = "we left Tesco and live in Denver now"
    assert read(said, **given).dropped == {reason: 1}


def test_new__needs_no_number_and_takes_none() -> None:
    (candidate,) = read("I live in Denver", relation="new", number=77, text="Lives in Denver").candidates
    assert (candidate.relation, candidate.related_id) == (Relation.NEW, None)
