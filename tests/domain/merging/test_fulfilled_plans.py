"""Plans end where a later statement says that they came true, and nowhere else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from keepsake.domain.agent.protection import without_protected
from keepsake.domain.memory import Candidate, Memory, MemoryType, Source, Subtype
from keepsake.domain.merging.decisions import Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.fulfilled_plans import OUTCOMES, find_fulfilled_plans, named_thing
from keepsake.domain.merging.merge import merge
from keepsake.domain.merging.merge_scope import merge_scope
from tests.support.memories import NOW, memory, stated_memory

LATER = NOW + timedelta(days=30)
EXAMPLES = [pair for outcome in OUTCOMES for pair in outcome["examples"]]
COUNTEREXAMPLES = [pair for outcome in OUTCOMES for pair in outcome["counterexamples"]]


def plan(text: str, **more: Any) -> Memory:
    """A stored plan."""
    return memory(text, type=MemoryType.GOAL, **more)


def stated(text: str, **more: Any) -> Candidate:
    """A statement as a model might tell it, without a key."""
    given: dict[str, Any] = {"type": MemoryType.FACT, "subtype": Subtype.OTHER, "confidence": 0.7}
    return Candidate(text=text, quote=text, **given | more)


@pytest.mark.parametrize("wanted, text", EXAMPLES)
def test_plan__is_fulfilled_by_the_statement(wanted: str, text: str) -> None:
    known = plan(wanted)
    assert find_fulfilled_plans(stated(text), [known], LATER) == [known]


@pytest.mark.parametrize("wanted, text", COUNTEREXAMPLES)
def test_plan__is_not_fulfilled_by_the_statement(wanted: str, text: str) -> None:
    assert find_fulfilled_plans(stated(text), [plan(wanted)], LATER) == []


@pytest.mark.parametrize(
    "known, said",
    [
        (plan("Wants to get a dog"), stated("Has a dog", type=MemoryType.GOAL)),
        (plan("Wants to get a dog"), stated("Has a dog", key="relationship|person|sister|has|dog", value="yes")),
        (plan("Wants to get a dog"), stated("Has a dog", key="relationship|person|self|has|dog", value="0")),
        (plan("Wants to get a dog", key="goal|person|sister|goal|get_a_dog"), stated("Has a dog")),
        (plan("Wants to get a dog", source=Source.USER), stated("Has a dog")),
        (plan("Wants to get a dog", valid_from=LATER + timedelta(days=1)), stated("Has a dog")),
        (plan("Wants to get a dog", expires_at=NOW), stated("Has a dog")),
    ],
)
def test_plan__stays_where_the_guards_of_merging_hold(known: Memory, said: Candidate) -> None:
    """Another subject, what is wanted only, what the person wrote, what was said later, what has run out."""
    assert find_fulfilled_plans(said, [known], LATER) == []


def test_merge__what_is_new_takes_the_place_of_the_plan() -> None:
    known = plan("Wants to open their own bakery one day")
    (decision,) = merge([stated("Has a bakery")], [known], said_at=LATER)
    assert isinstance(decision, Supersede)
    assert (decision.old_id, decision.fulfills_plan) == (known.id, True)
    assert decision.explanation == f"{known.ref} was planned, and has come true"


def test_merge__a_plan_ends_beside_what_is_replaced() -> None:
    home, move = stated_memory("I live in Bergen"), stated_memory("I want to move to Oslo next year")
    moved = stated("Lives in Oslo", key=home.key, value="oslo")
    replaced, ended = merge([moved], [home, move], said_at=LATER)
    assert isinstance(replaced, Supersede)
    assert isinstance(ended, Retract)
    assert (replaced.old_id, ended.old_id, ended.candidate) == (home.id, move.id, None)


def test_merge__a_repetition_ends_no_plan() -> None:
    """Who has a bakery may want another one, and say so in few words."""
    bakery = stated_memory("I have a bakery")
    wanted = plan("Wants to open a bakery")
    again = stated("Has a bakery", key=bakery.key, value=bakery.value)
    (decision,) = merge([again], [bakery, wanted], said_at=LATER)
    assert isinstance(decision, Reinforce)


def test_agent__ends_no_plan_of_the_person() -> None:
    known = plan("Wants to get a dog")
    (decision,) = without_protected(merge([stated("Has a dog")], [known], said_at=LATER), [known])
    assert isinstance(decision, Insert)


@pytest.mark.parametrize("wanted, text", EXAMPLES)
def test_merge_scope__reads_the_plan(wanted: str, text: str) -> None:
    """By the word for the thing, which both contain."""
    thing = named_thing(text)
    assert thing in merge_scope([stated(text)]).texts
    assert thing.lower().rstrip("s")[:5] in wanted.lower()
