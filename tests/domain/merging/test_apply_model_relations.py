"""What a model's word about a stored memory does to it: only what the message tells, and nothing that is guarded."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from keepsake.domain.memory import Candidate, Memory, MemoryType, Relation, Subtype
from keepsake.domain.merging.apply_model_relations import RelatedStatements, apply_relations, sort_by_relation
from keepsake.domain.merging.changes.find_changes import FoundChanges
from keepsake.domain.merging.decisions import Drop, Insert
from tests.support.memories import NOW, stated_memory

LATER = NOW + timedelta(days=1)
TESCO = stated_memory("I work at Tesco")


def says(relation: Relation, quote: str, text: str = "", **more: Any) -> Candidate:
    return Candidate(MemoryType.FACT, Subtype.OTHER, text, quote, 0.8, relation=relation, related_id=TESCO.id, **more)


def sort(candidate: Candidate, memory: Memory = TESCO) -> RelatedStatements:
    return sort_by_relation([candidate], {memory.id: memory}, message=candidate.quote, said_at=LATER)


def changes(related: RelatedStatements, *decisions: Any) -> FoundChanges:
    found = FoundChanges()
    apply_relations(related, decisions, found)
    return found


def test_ends__ends_the_memory() -> None:
    related = sort(says(Relation.ENDS, "not at Tesco any more", retracts=True))
    assert list(changes(related).ended) == [TESCO.id]


def test_doubts__casts_doubt_and_states_nothing() -> None:
    related = sort(says(Relation.DOUBTS, "handed in my notice", "Handed in notice"))
    assert list(changes(related).doubted) == [TESCO.id]
    assert related.candidates == []


def test_replaces__ends_the_memory_where_the_statement_is_stored() -> None:
    candidate = says(Relation.REPLACES, "started at Lidl", "Works at Lidl", corrects=True)
    related = sort(candidate)
    assert list(changes(related, Insert(candidate, "")).ended) == [TESCO.id]
    assert changes(related, Drop(candidate, "older", "")).ended == {}


def test_repeats__reinforces_where_the_statement_adds_nothing() -> None:
    again = says(Relation.REPEATS, "I work at Tesco", "Works at Tesco", key=TESCO.key, value=TESCO.value)
    assert [one.memory_id for one in sort(again).repetitions] == [TESCO.id]
    other = replace(again, text="Works at Lidl", value="lidl")
    assert sort(other).repetitions == []
    assert sort(other).candidates == [other]


@pytest.mark.parametrize("relation", [Relation.ENDS, Relation.DOUBTS])
def test_no_word_of_change__changes_nothing(relation: Relation) -> None:
    related = sort(says(relation, "I like the Tesco canteen"))
    assert (changes(related), related.dropped) == (FoundChanges(), {"no_change": 1})


def test_replacement_without_a_word_of_change__is_a_statement_like_any_other() -> None:
    related = sort(says(Relation.REPLACES, "I like the Tesco canteen", "Likes the Tesco canteen", corrects=True))
    assert [candidate.corrects for candidate in related.candidates] == [False]
    assert changes(related) == FoundChanges()


@pytest.mark.parametrize(
    "guard, reason",
    [
        ({"pinned": True}, "confirmed"),
        ({"confidence": 1.0}, "confirmed"),
        ({"persona_id": "mona"}, "other_persona"),
        ({"valid_from": LATER + timedelta(hours=1)}, "older"),
        ({"type": MemoryType.EMOTION}, "unchangeable"),
    ],
)
@pytest.mark.parametrize("relation", [Relation.ENDS, Relation.DOUBTS, Relation.REPLACES])
def test_guarded_memory__stays(guard: dict[str, Any], reason: str, relation: Relation) -> None:
    related = sort(says(relation, "handed in my notice", "Handed in notice"), TESCO._replace(**guard))
    assert (changes(related), related.dropped) == (FoundChanges(), {reason: 1})


def test_confirmed_memory__ends_where_the_person_names_it() -> None:
    related = sort(says(Relation.ENDS, "I left Tesco", retracts=True), TESCO._replace(pinned=True))
    assert list(changes(related).ended) == [TESCO.id]
