"""Takes a person's memories in from a file, gives them out, undoes and restores them: CPU time, time and memory taken.

A list of rows from elsewhere is imported, imported again, exported, undone, and the export imported: on the way in each
row is judged and screened, on the way back only its signature is checked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import BinaryIO

import psycopg

from bench.stage import Stage, stage
from bench.timing import machine, show
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.usecases.export_memories import export_memories
from keepsake.usecases.import_memories import import_memories

Row = tuple[object, ...]


def _write(file: Path, rows: int) -> None:
    """A list of so many different memories, one a line."""
    with file.open("w") as out:
        for number in range(rows):
            text = f"Likes walking the dog number {number} along the river in the evening after work with friends"
            out.write(json.dumps({"memory_text": text, "importance": number % 3}) + "\n")


def _mebibytes(file: Path) -> float:
    return file.stat().st_size / 2**20


async def _measured(what: str, does: Callable[[], Awaitable[int]], file: Path) -> Row:
    """One line of the table: how long it took, of the CPU and in all, and what memory the process has grown to."""
    began, worked = perf_counter(), process_time()
    rows = await does()
    cpu, seconds = process_time() - worked, perf_counter() - began
    size, peak = _mebibytes(file), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {rows} rows, {seconds:.1f} s", file=sys.stderr, flush=True)
    return what, rows, size, cpu, seconds, peak


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


async def run(on: Stage, rows: int, folder: Path) -> list[Row]:
    """Everything once, in order."""
    resources, person = Resources.build(on.settings()), Person(on.people[0].user_id)
    given, exported = folder / "given.ndjson", folder / "exported.json"
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

    async def undo() -> int:
        with psycopg.connect(on.superuser_url) as connection:
            connection.execute(
                "select keepsake.undo(c.user_id, c.operation_id) from keepsake.changes as c"
                " where c.user_id = %s and c.reason = 'import' and c.undone_at is null limit 1",
                (person.user_id,),
            )
        return rows

    try:
        return [
            await _measured("import from elsewhere", lambda: take_in(given), given),
            await _measured("the same again", lambda: take_in(given), given),
            await _measured("export", give_out, exported),
            await _measured("undo the import", undo, given),
            await _measured("import the export", lambda: take_in(exported), exported),
        ]
    finally:
        await resources.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=50_000, help="memories in the file (default: 50,000)")
    parser.add_argument(
        "--statistics", choices=("none", "outdated", "good"), default="none", help="what the planner knows before"
    )
    asked = parser.parse_args()
    rows, others = asked.rows, 750 if asked.statistics == "outdated" else 10_000
    with (
        stage(others, each=5 if asked.statistics == "outdated" else 5_000) as on,
        tempfile.TemporaryDirectory() as folder,
    ):
        set_statistics(on, asked.statistics)
        table = asyncio.run(run(on, rows, Path(folder)))
    show("Taking memories along", ("", "rows", "MiB", "CPU s", "s", "peak MiB"), table)
    print(machine())


if __name__ == "__main__":
    main()
