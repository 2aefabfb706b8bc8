"""Taking memories along and bringing them back, as tests say it in a word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.export_memories import export_memories
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.transfer.formats import FileFormat
from keepsake.usecases.transfer.report import ImportReport
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene


async def bring(scene: Scene, rows: object, person: Account | None = None, **more: Any) -> ImportReport:
    """Import rows, as JSON unless they are bytes already."""
    content = rows if isinstance(rows, bytes) else json.dumps(rows).encode()
    return await import_memories(scene.resources, (person or scene.ada).identity, content, **more)


async def export(scene: Scene, person: Account | None = None, file_format: FileFormat = FileFormat.JSON) -> bytes:
    """Everything stored of somebody."""
    exported = await export_memories(scene.resources, (person or scene.ada).identity, file_format=file_format)
    return b"".join([chunk async for chunk in exported.chunks])


async def erase(scene: Scene, person: Account | None = None) -> None:
    """Erase everything of somebody."""
    await erase_memories(scene.resources, (person or scene.ada).identity, EraseRequest(everything=True))


def undo(scene: Scene, operation_id: UUID | None, person: Account | None = None) -> None:
    """Undo an operation as the person themself."""
    with scene.db.as_person((person or scene.ada).user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation_id,))


def stored(scene: Scene, person: Account | None = None) -> Sequence[dict[str, Any]]:
    """Every memory somebody has, in any state."""
    user_id = (person or scene.ada).user_id
    return scene.db.all("select * from public.user_memory where user_id = %s order by memory_no", (user_id,))


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    """How many rows were read, imported, there already, and refused."""
    return report.rows, report.imported, report.unchanged, report.refused


def remembered(content: bytes) -> dict[str, Any]:
    """The sections of an export that hold what is remembered."""
    document = json.loads(content)
    return {name: document[name] for name in ("memories", "entities", "alias_proposals", "places", "place_mentions")}
