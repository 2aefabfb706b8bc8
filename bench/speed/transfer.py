"""Takes a person's memories in from a file, gives them out, undoes, restores and erases them: what each step takes.

A list of rows from elsewhere is imported, imported again, exported, undone, redone, undone, the export imported, and
all of it erased: on the way in each row is judged and screened, on the way back only its signature is checked. The
longest wait for the database shows whether a statement timeout would have ended it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, BinaryIO
from uuid import UUID, uuid4

import psycopg

from bench.harness.stage import Stage, stage
from bench.harness.timing import machine, show
from keepsake.domain.transfer.json_reader import MEMORIES
from keepsake.domain.transfer.row_schema import MARKS
from keepsake.domain.transfer.signing import Signer
from keepsake.identity import Person
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.export_memories import export_memories
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.undo_operation import undo_operation

Row = tuple[object, ...]


def _write(file: Path, rows: int) -> None:
    """A list of so many different memories, one a line."""
    with file.open("w") as out:
        for number in range(rows):
            text = f"Likes walking the dog number {number} along the river in the evening after work with friends"
            out.write(json.dumps({"memory_text": text, "importance": number % 3}) + "\n")


async def _write_export(resources: Resources, person: Person, file: Path, rows: int) -> None:
    """An export of so many memories: each row is like one that was imported and exported, and signed for the person."""
    await import_memories(resources, person, json.dumps([{"memory_text": "Likes walking the dog"}]).encode())
    exported = b"".join([chunk async for chunk in (await export_memories(resources, person)).chunks])
    model = next(row for row in json.loads(exported)["memories"] if row["source"] == "import")
    content = {name: value for name, value in model.items() if name not in MARKS}
    signer = Signer(resources.settings.signing_keys, person.user_id)
    with file.open("w") as out:
        for number in range(rows):
            row = content | {
                "id": str(uuid4()),
                "memory_no": 1_000_000 + number,
                "memory_text": f"Likes walking the dog number {number} along the river in the evening after work",
                "memory_key": None,
                "value": None,
            }
            out.write(json.dumps(row | {"signature": signer.sign(MEMORIES, row)}) + "\n")


def _mebibytes(file: Path) -> float:
    return file.stat().st_size / 2**20


class _Waits:
    """The longest wait for the database since the last reading, in seconds."""

    def __init__(self) -> None:
        self._longest = 0.0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure every wait of every connection in the block."""
        wait: Any = Connection.wait

        async def timed(connection: Connection, *args: Any, **kwargs: Any) -> Any:
            began = perf_counter()
            try:
                return await wait(connection, *args, **kwargs)
            finally:
                self._longest = max(self._longest, perf_counter() - began)

        setattr(Connection, "wait", timed)  # noqa: B010 (every statement goes through it)
        try:
            yield
        finally:
            setattr(Connection, "wait", wait)  # noqa: B010 (as above)

    def read(self) -> float:
        """The longest wait since the last call."""
        longest, self._longest = self._longest, 0.0
        return longest


async def _measured(what: str, does: Callable[[], Awaitable[int]], file: Path, waits: _Waits) -> Row:
    """One line of the table: how long it took, of the CPU and in all, and what memory the process has grown to."""
    waits.read()
    began, worked = perf_counter(), process_time()
    rows = await does()
    cpu, seconds, longest = process_time() - worked, perf_counter() - began, waits.read()
    size, peak = _mebibytes(file), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {rows} rows, {seconds:.1f} s, longest wait {longest:.2f} s", file=sys.stderr, flush=True)
    return what, rows, size, cpu, seconds, longest, peak


def set_statistics(on: Stage, kind: str) -> None:
    """Let the planner know the tables as in an early release: while they were small, or with many rows of this person.

    Without any (``none``) is how a new project begins. Columns that are not analyzed any more are here, as an upgraded
    project may still have their statistics.
    """
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("alter system set autovacuum = off")
        connection.execute("select pg_reload_conf()")
        if kind == "none":
            return
        for column in ("user_id", "profile_id"):
            connection.execute(f"alter table public.user_memory alter column {column} set statistics 100".encode())
        if kind == "outdated":
            connection.execute("delete from public.user_memory where user_id = %s", (on.people[0].user_id,))
        connection.execute("vacuum full analyze public.user_memory")


def _newest_operation(on: Stage, person: Person, reason: str) -> UUID:
    """The newest operation of a reason that is not undone."""
    with psycopg.connect(on.superuser_url) as connection:
        found = connection.execute(
            "select c.operation_id from keepsake.changes as c"
            " where c.user_id = %s and c.reason like %s and c.undone_at is null order by c.seq desc limit 1",
            (person.user_id, reason),
        ).fetchone()
    if found is None:
        raise LookupError(f"there is no operation {reason}")
    operation: UUID = found[0]
    return operation


async def run(on: Stage, rows: int, folder: Path, *, is_signed: bool, wanted: Sequence[str] = ()) -> list[Row]:
    """Everything once, in order, or the ``wanted`` steps alone."""
    resources, person = Resources.build(on.settings()), Person(on.people[0].user_id)
    given, exported = folder / "given.ndjson", folder / "exported.json"
    if is_signed:
        await _write_export(resources, person, given, rows)
    else:
        _write(given, rows)

    async def take_in(file: Path) -> int:
        source: BinaryIO
        with file.open("rb") as source:
            return (await import_memories(resources, person, source)).imported

    async def give_out() -> int:
        with exported.open("wb") as out:
            async for chunk in (await export_memories(resources, person)).chunks:
                out.write(chunk)
        return rows

    async def undo(reason: str) -> int:
        return (await undo_operation(resources, person, _newest_operation(on, person, reason))).affected

    async def erase() -> int:
        return len((await erase_memories(resources, person, EraseRequest(everything=True))).memories)

    steps = [
        ("import", lambda: take_in(given), given),
        ("the same again", lambda: take_in(given), given),
        ("export", give_out, exported),
        ("undo the import", lambda: undo("import"), given),
        ("undo the undo", lambda: undo("undo of %"), given),
        ("undo that", lambda: undo("undo of %"), given),
        ("import the export", lambda: take_in(exported), exported),
        ("erase everything", erase, exported),
    ]
    if is_signed:
        steps = [step for step in steps if step[0] not in {"the same again", "undo that", "import the export"}]
    steps = [step for step in steps if not wanted or step[0] in wanted]
    waits = _Waits()
    try:
        with waits.measure():
            return [await _measured(what, does, file, waits) for what, does, file in steps]
    finally:
        await resources.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=50_000, help="memories in the file (default: 50,000)")
    parser.add_argument(
        "--statistics", choices=("none", "outdated", "good"), default="none", help="what the planner knows before"
    )
    parser.add_argument("--signed", action="store_true", help="import an export, and nothing again")
    parser.add_argument(
        "--steps", nargs="+", default=(), metavar="STEP", help="only these, such as: import 'erase everything'"
    )
    asked = parser.parse_args()
    rows, others = asked.rows, 750 if asked.statistics == "outdated" else 10_000
    with (
        stage(others, each=5 if asked.statistics == "outdated" else 5_000) as on,
        tempfile.TemporaryDirectory() as folder,
    ):
        set_statistics(on, asked.statistics)
        table = asyncio.run(run(on, rows, Path(folder), is_signed=asked.signed, wanted=asked.steps))
    show("Taking memories along", ("", "rows", "MiB", "CPU s", "s", "longest wait s", "peak MiB"), table)
    print(machine())


if __name__ == "__main__":
    main()
