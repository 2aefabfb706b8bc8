"""Export, then erasure, then import is the identity, whatever is stored."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from keepsake.domain.memory import MAX_TEXT_LENGTH, MemoryType, Source, Status, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.text import has_forbidden_characters
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.export_memories import export_memories
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.transfer.formats import FileFormat
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.properties.strategies import texts

COMPARED = ("memories", "entities", "alias_proposals", "places", "place_mentions", "consent", "profiles")

clean = (
    texts.map(lambda text: "".join(c for c in text if not has_forbidden_characters(c)).strip()[:MAX_TEXT_LENGTH])
).filter(bool)
moments = st.datetimes(datetime(2001, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
hostile_cells = st.sampled_from(["=1+1", "'", "''", "-", "@x", '"a","b"', "1.0", "true", "null", "[1]", "{}", ";", ","])
words = st.one_of(clean, hostile_cells)
screened = words.filter(lambda text: rejection_of_text(text) is None)
"""What a person may have written is screened again when it comes back."""


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """The columns of a memory as the table takes them, in any state."""
    status, pinned, source = draw(st.sampled_from(Status)), draw(st.booleans()), draw(st.sampled_from(Source))
    is_written_directly = source in {Source.USER, Source.SEEDED_PROFILE}
    return {
        "memory_text": draw(screened if is_written_directly else words),
        "memory_type": draw(st.sampled_from(MemoryType)).value,
        "subtype": draw(st.sampled_from(Subtype)).value,
        "confidence_score": draw(st.integers(0, 1000)) / 1000,
        "source": source.value,
        "status": status.value,
        "deleted_at": datetime.now(UTC) if status is Status.DELETED else None,
        "pinned": pinned,
        "importance": 3 if pinned else draw(st.integers(0, 3)),
        "reference_count": draw(st.integers(0, 32_767)),
        "value": draw(st.none() | words | st.just("")),
        "entity_label": draw(st.none() | words | st.just("")),
        "entity_refs": draw(st.lists(st.sampled_from(["person:ann", "place:graz", "person:self"]), unique=True)),
        "persona_id": draw(st.none() | screened),
        "source_quote": draw(st.none() | words | st.just("two\nlines")),
        "astrological_context": draw(st.none() | st.dictionaries(words, st.integers() | st.none() | words, max_size=2)),
        "language": draw(st.sampled_from(["en", "de", "zh-Hant"])),
        "created_at": draw(moments),
        "valid_to": draw(st.none() | moments),
        "expires_at": draw(st.none() | moments),
        "last_referenced_at": draw(st.none() | moments),
    }


async def exported(scene: Scene, person: Account, file_format: FileFormat) -> bytes:
    made = await export_memories(scene.resources, person.identity, file_format=file_format)
    return b"".join([chunk async for chunk in made.chunks])


async def remembered(scene: Scene, person: Account) -> dict[str, Any]:
    """What an export says, without when it was made."""
    document = json.loads(await exported(scene, person, FileFormat.JSON))
    return {name: document[name] for name in COMPARED}


def store(scene: Scene, person: Account, drawn: list[dict[str, Any]]) -> None:
    """Store memories as they are drawn, each after the first perhaps in the place of the one before."""
    before: UUID | None = None
    for number, row in enumerate(drawn):
        context = row.pop("astrological_context")
        before = scene.people.memory(
            person, row.pop("memory_text"), **row, memory_key=f"k|{number}", supersedes_id=before,
            astrological_context=None if context is None else Jsonb(context),
        )  # fmt: skip


@given(st.lists(rows(), max_size=5), st.sampled_from(FileFormat))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_export_erase_import__is_the_identity(
    scene: Scene, drawn: list[dict[str, Any]], file_format: FileFormat
) -> None:
    person = scene.people.person("Ada")
    store(scene, person, drawn)
    before, content = await remembered(scene, person), await exported(scene, person, file_format)
    assert (await import_memories(scene.resources, person.identity, content)).status == "unchanged"
    await erase_memories(scene.resources, person.identity, EraseRequest(everything=True))
    report = await import_memories(scene.resources, person.identity, content, atomic=True)
    assert (report.restored, report.notes) == (len(before["memories"]), ())
    after = await remembered(scene, person)
    compared = COMPARED if file_format is FileFormat.JSON else ("memories",)
    assert {name: after[name] for name in compared} == {name: before[name] for name in compared}
    assert (await import_memories(scene.resources, person.identity, content)).status == "unchanged"
