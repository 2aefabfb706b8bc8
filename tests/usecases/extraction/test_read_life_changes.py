"""The changes that words and the layers of a model find in sentences, and that were not told before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from keepsake.domain.extraction.previous_messages import PreviousMessage
from keepsake.domain.merging.changes.life_changes.life_change_classifier import changed_parts
from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.models.model_folder import bundled_model
from keepsake.infra.resources import Resources
from keepsake.usecases.extraction.proposals import DeadlineMissed, MessageToRead, Proposal, by_rules
from keepsake.usecases.extraction.read_life_changes import add_life_changes
from tests.support.memories import NOW, stated_memory

_TOLD = "handed in my badge this morning"
_BEFORE = "the contract came to an end and they let me go"


@pytest.fixture
async def loaded(resources: Resources) -> AsyncIterator[Resources]:
    """The resources with the embedding model of the extra, loaded."""
    embedder = LocalEmbedder(bundled_model())
    await embedder.embed(["good morning"], deadline=asyncio.get_running_loop().time() + 60)
    yield replace(resources, embedder=embedder)
    await embedder.close()


async def _read(resources: Resources, statement: MessageToRead) -> Proposal:
    proposal = await by_rules(statement)
    [outcome] = await add_life_changes(resources, [statement], [replace(proposal, changes=())])
    assert isinstance(outcome, Proposal)
    return outcome


async def test_a_change_told_by_a_picture__is_one_of_its_part_of_life(loaded: Resources) -> None:
    work = stated_memory("I work at Tesco")
    (change,) = (await _read(loaded, MessageToRead(_TOLD, NOW, recent=[work]))).changes
    assert max(change.parts, key=lambda part: change.parts[part]) == "work"
    assert (change.last, change.possible_outcomes) == ((work.id,), frozenset())


async def test_an_ordinary_message__tells_no_change(loaded: Resources) -> None:
    assert (await _read(loaded, MessageToRead("made pancakes for the kids this morning", NOW))).changes == ()


async def test_what_was_told_already__spares_what_was_said_in_the_conversation(
    loaded: Resources,
) -> None:
    work = stated_memory("I work at Tesco")
    previous = [PreviousMessage("assistant", "Okay."), PreviousMessage("user", _BEFORE)]
    (change,) = (await _read(loaded, MessageToRead(_TOLD, NOW, recent=[work], previous=previous))).changes
    assert change.possible_outcomes == {work.id}


async def test_without_a_model__words_alone_decide(resources: Resources) -> None:
    assert resources.embedder is None
    (change,) = (await _read(resources, MessageToRead(_BEFORE, NOW))).changes
    assert change.parts == changed_parts(_BEFORE)
    assert (await _read(resources, MessageToRead("made pancakes for the kids this morning", NOW))).changes == ()


async def test_a_model_that_cannot_be_loaded__leaves_it_to_the_words(resources: Resources, tmp_path: Path) -> None:
    embedder = LocalEmbedder(replace(bundled_model(), path=tmp_path))
    (change,) = (await _read(replace(resources, embedder=embedder), MessageToRead(_BEFORE, NOW))).changes
    assert change.parts == changed_parts(_BEFORE)
    await embedder.close()


async def test_a_message_that_was_not_read__stays_unread(resources: Resources) -> None:
    statements = [MessageToRead(_TOLD, NOW), MessageToRead("hello", NOW)]
    outcomes = await add_life_changes(resources, statements, [DeadlineMissed(), await by_rules(statements[1])])
    assert [type(outcome) for outcome in outcomes] == [DeadlineMissed, Proposal]
