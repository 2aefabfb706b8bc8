"""The changes that a classifier of words finds in sentences, and that were not told before."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, changed_parts
from keepsake.usecases.extraction.proposals import DeadlineMissed, MessageToRead, Proposal, by_rules
from keepsake.usecases.extraction.read_life_changes import add_life_changes
from tests.support.memories import NOW, stated_memory

_TOLD = "I quit my job at Tesco today"
_BEFORE = "the contract came to an end and they let me go"


async def _read(statement: MessageToRead) -> Proposal:
    proposal = await by_rules(statement)
    [outcome] = add_life_changes([statement], [replace(proposal, changes=())])
    assert isinstance(outcome, Proposal)
    return outcome


async def test_a_change__is_one_of_its_part_of_life() -> None:
    work = stated_memory("I work at Tesco")
    (change,) = (await _read(MessageToRead(_TOLD, NOW, recent=[work]))).changes
    assert max(change.parts, key=lambda part: change.parts[part]) == "work"
    assert (change.last, change.possible_outcomes) == ((work.id,), frozenset())
    assert change.parts == changed_parts(_TOLD, minimum=MIN_COMPARED)


async def test_an_ordinary_message__tells_no_change() -> None:
    assert (await _read(MessageToRead("made pancakes for the kids this morning", NOW))).changes == ()


async def test_what_was_told_already__spares_what_was_said_in_the_conversation() -> None:
    work = stated_memory("I work at Tesco")
    previous = [PreviousMessage("assistant", "Okay."), PreviousMessage("user", _BEFORE)]
    (change,) = (await _read(MessageToRead(_TOLD, NOW, recent=[work], previous=previous))).changes
    assert change.possible_outcomes == {work.id}


async def test_a_message_that_was_not_read__stays_unread() -> None:
    statements = [MessageToRead(_TOLD, NOW), MessageToRead("hello", NOW)]
    outcomes = add_life_changes(statements, [DeadlineMissed(), await by_rules(statements[1])])
    assert [type(outcome) for outcome in outcomes] == [DeadlineMissed, Proposal]
