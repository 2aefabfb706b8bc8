"""Exports everything stored about a person as a document that an import can restore."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Self

from keepsake import __version__
from keepsake.domain.transfer.csv_format import line_of_csv
from keepsake.domain.transfer.json_reader import MEMORIES
from keepsake.domain.transfer.provenance import provenance_of
from keepsake.domain.transfer.row_schema import COLUMNS
from keepsake.domain.transfer.signing import Signer
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.store import exports
from keepsake.store.exports import SCHEMA_VERSION, SECTIONS, Section
from keepsake.usecases.transfer.formats import FileFormat

READ_AHEAD = 4 * 1024 * 1024
"""Bytes read before the first is sent: a smaller export is complete by then and needs no connection any more."""

Chunks = AsyncGenerator[bytes, None]


@dataclass(frozen=True, slots=True)
class Export:
    """A document that is made while it is sent, with its media type and filename."""

    chunks: ReadAhead
    media_type: str
    filename: str


async def export_memories(
    resources: Resources,
    person: Person,
    *,
    file_format: FileFormat = FileFormat.JSON,
    batch: int = exports.BATCH,
    read_ahead: int = READ_AHEAD,
) -> Export:
    """Everything stored about a person as JSON, or their memories as CSV; close ``chunks`` if you stop early."""
    document = _csv(resources, person, batch) if file_format is FileFormat.CSV else _json(resources, person, batch)
    media_type = "text/csv; charset=utf-8" if file_format is FileFormat.CSV else "application/json"
    filename = f"keepsake-{resources.clock.now():%Y-%m-%d}.{file_format.value}"
    return Export(await ReadAhead(document).start(read_ahead), media_type, filename)


async def _json(resources: Resources, person: Person, batch_size: int) -> Chunks:
    """The document, one row a line: a header, the sections, and ``complete`` at its end."""
    now = resources.clock.now()
    add_marks = _mark_adder(resources, person)
    header = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": now.isoformat(),
        "generator": f"keepsake {__version__}",
        "person": str(person.user_id),
        "sections": {section.name: {"nature": section.provenance} for section in SECTIONS},
    }
    counts: dict[str, int] = {}
    async with resources.database.as_reader(person) as conn:
        yield _dump(header)[:-1].encode()
        for section in SECTIONS:
            separator = f",\n{json.dumps(section.name)}:[\n"
            counts[section.name] = 0
            async with aclosing(
                exports.rows(conn, section, user_id=person.user_id, now=now, batch=batch_size)
            ) as batches:
                async for batch in batches:
                    counts[section.name] += len(batch)
                    yield (separator + ",\n".join(_dump(add_marks(section, row)) for row in batch)).encode()
                    separator = ",\n"
            yield b"\n]" if counts[section.name] else f"{separator}]".encode()
    yield (",\n" + _dump({"counts": counts, "complete": True})[1:] + "\n").encode()


async def _csv(resources: Resources, person: Person, batch_size: int) -> Chunks:
    """The memories, one a line, below a line that names the columns."""
    add_marks = _mark_adder(resources, person)
    names = ["ref", *COLUMNS, "nature", "signature"]
    section = next(one for one in SECTIONS if one.name == MEMORIES)
    async with (
        resources.database.as_reader(person) as conn,
        aclosing(
            exports.rows(conn, section, user_id=person.user_id, now=resources.clock.now(), batch=batch_size)
        ) as batches,
    ):
        yield line_of_csv(names).encode()
        async for batch in batches:
            yield _lines(names, (add_marks(section, row) for row in batch)).encode()


def _mark_adder(resources: Resources, person: Person) -> Callable[[Section, dict[str, Any]], dict[str, Any]]:
    """A function that adds provenance, memory reference and signature to a row."""
    signer = Signer(resources.settings.signing_keys, person.user_id)

    def add_marks(section: Section, row: dict[str, Any]) -> dict[str, Any]:
        marks: dict[str, Any] = {}
        if section.name == MEMORIES:
            marks = {"ref": f"M-{row['memory_no']}", "nature": provenance_of(row["source"])}
        if section.is_restored:
            marks["signature"] = signer.sign(section.name, row)
        return {**row, **marks}

    return add_marks


def _lines(names: list[str], rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(line_of_csv(row.get(name) for name in names) for row in rows)


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class ReadAhead:
    """Chunks of which the first are fetched in advance, so that early errors are raised before the first byte."""

    def __init__(self, chunks: Chunks) -> None:
        self._chunks = chunks
        self._ready: deque[bytes] = deque()

    async def start(self, size: int) -> Self:
        """Fetch the first chunks, at least ``size`` bytes if there are as many."""
        try:
            while sum(map(len, self._ready)) < size:
                self._ready.append(await anext(self._chunks))
        except StopAsyncIteration:
            pass
        except BaseException:
            await self.aclose()
            raise
        return self

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        return self._ready.popleft() if self._ready else await anext(self._chunks)

    async def aclose(self) -> None:
        """Close the source of the chunks."""
        await self._chunks.aclose()
