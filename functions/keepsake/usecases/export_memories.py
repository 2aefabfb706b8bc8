"""Hands a person everything that is stored of them, as one document that an import knows again."""

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
from keepsake.domain.transfer.provenance import nature_of
from keepsake.domain.transfer.row_schema import COLUMNS
from keepsake.domain.transfer.signing import Signer
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.store import exports
from keepsake.store.exports import SCHEMA_VERSION, SECTIONS, Section
from keepsake.usecases.transfer.formats import Form

READ_AHEAD = 4 * 1024 * 1024
"""Bytes that are read before the first is handed on: what is smaller is complete then, and holds no connection."""

Chunks = AsyncGenerator[bytes, None]


@dataclass(frozen=True, slots=True)
class Export:
    """A document that is written while it is read, and what to call it."""

    chunks: ReadAhead
    media_type: str
    filename: str


async def export_memories(resources: Resources, person: Person, *, form: Form = Form.JSON) -> Export:
    """Everything stored of a person as JSON, or their memories as CSV; close ``chunks`` where you stop early."""
    document = _csv(resources, person) if form is Form.CSV else _json(resources, person)
    media_type = "text/csv; charset=utf-8" if form is Form.CSV else "application/json"
    filename = f"keepsake-{resources.clock.now():%Y-%m-%d}.{form.value}"
    return Export(await ReadAhead(document).start(), media_type, filename)


async def _json(resources: Resources, person: Person) -> Chunks:
    """The document, a row a line: a header, the sections, and at its end that it is complete."""
    now = resources.clock.now()
    finished = _finisher(resources, person)
    header = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": now.isoformat(),
        "generator": f"keepsake {__version__}",
        "person": str(person.user_id),
        "sections": {section.name: {"nature": section.nature} for section in SECTIONS},
    }
    counts: dict[str, int] = {}
    async with resources.database.as_reader(person) as conn:
        yield _dump(header)[:-1].encode()
        for section in SECTIONS:
            separator = f",\n{json.dumps(section.name)}:[\n"
            counts[section.name] = 0
            async with aclosing(exports.rows(conn, section, user_id=person.user_id, now=now)) as batches:
                async for batch in batches:
                    counts[section.name] += len(batch)
                    yield (separator + ",\n".join(_dump(finished(section, row)) for row in batch)).encode()
                    separator = ",\n"
            yield b"\n]" if counts[section.name] else f"{separator}]".encode()
    yield (",\n" + _dump({"counts": counts, "complete": True})[1:] + "\n").encode()


async def _csv(resources: Resources, person: Person) -> Chunks:
    """The memories, one a line, below a line that names the columns."""
    finished = _finisher(resources, person)
    names = ["ref", *COLUMNS, "nature", "signature"]
    section = next(one for one in SECTIONS if one.name == MEMORIES)
    async with (
        resources.database.as_reader(person) as conn,
        aclosing(exports.rows(conn, section, user_id=person.user_id, now=resources.clock.now())) as batches,
    ):
        yield line_of_csv(names).encode()
        async for batch in batches:
            yield _lines(names, (finished(section, row) for row in batch)).encode()


def _finisher(resources: Resources, person: Person) -> Callable[[Section, dict[str, Any]], dict[str, Any]]:
    """What adds to a row how it came about, its short name, and what vouches for it."""
    signer = Signer(resources.settings.signing_keys, person.user_id)

    def finished(section: Section, row: dict[str, Any]) -> dict[str, Any]:
        marks: dict[str, Any] = {}
        if section.name == MEMORIES:
            marks = {"ref": f"M-{row['memory_no']}", "nature": nature_of(row["source"])}
        if section.returns:
            marks["signature"] = signer.sign(section.name, row)
        return {**row, **marks}

    return finished


def _lines(names: list[str], rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(line_of_csv(row.get(name) for name in names) for row in rows)


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class ReadAhead:
    """Chunks of which the first are fetched before anybody takes one: what fails early fails before the first byte."""

    def __init__(self, chunks: Chunks) -> None:
        self._chunks = chunks
        self._ready: deque[bytes] = deque()

    async def start(self) -> Self:
        """Fetch the first chunks, all of them where they are few."""
        try:
            while sum(map(len, self._ready)) < READ_AHEAD:
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
        """Give back what is still open."""
        await self._chunks.aclose()
