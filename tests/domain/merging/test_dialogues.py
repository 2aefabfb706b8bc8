"""What remains of a dialogue, by the pure functions alone: read, dated, merged, applied."""

from __future__ import annotations

import pytest

from bench.junk.person import Person
from keepsake.usecases.extraction.proposals import by_rules
from tests.domain.merging.dialogues import ALL, Dialogue


@pytest.mark.parametrize("dialogue", ALL, ids=str)
async def test_dialogue__ends_with_the_expected_memories(dialogue: Dialogue) -> None:
    person = Person(by_rules)
    for text, at in dialogue.turns():
        await person.says(text, at)
    assert {memory.text for memory in person.active} == dialogue.active
