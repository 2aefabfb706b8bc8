"""Times injection at 1,000 memories of one person, in tables of several sizes, next to the floor it stands on.

The floor, on the very connection that injection then uses: `select 1`, and fetching that person's 1,000 rows (id and
text). Injection in process is the use case with the commit of its accounting; over HTTP it is a POST to the gateway.
Words alone are compared, because what a vector costs is mostly its embedding; ``--vectors`` times later messages with
random vectors too, which take no embedding. Messages are saved and differ from call to call.
The people asked for are few enough that what is read of them stays in the server's memory (its default of 128 MB); with
more of them (--people), the larger table is read from the system's. The CPU is that of this process and of the server's
process that answers it: on a busy machine it says more than the time (on Linux; elsewhere it is not shown).
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice, pairwise
from pathlib import Path
from time import process_time
from uuid import UUID

from psycopg.rows import tuple_row

from bench.harness.adopted_server import conforming_server
from bench.harness.random_vectors import RandomEmbedder, store_random_vectors
from bench.harness.sayings import MESSAGES
from bench.harness.serving import Served, served
from bench.harness.stage import Speaker, Stage, migrated_server, stage
from bench.harness.timing import Times, machine, p50, p95, show, timed
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.usecases.inject_memory import ContextRequest, inject_memory

ROUND = 10
"""Calls of one kind before the next kind's turn, so that whatever else the machine does hits all alike."""
_FETCHING, _LATER, _FIRST = "fetch 1,000 rows", "injection, later message", "injection, first message"
_WITH_VECTORS = "injection with vectors, later message"
_FETCH = "select id, memory_text from public.user_memory where user_id = %s and is_active"


@dataclass(frozen=True, slots=True)
class Figures:
    """The times of one table size."""

    rows: int
    nothing: Times = field(default_factory=list)
    fetch: Times = field(default_factory=list)
    later: Times = field(default_factory=list)
    first: Times = field(default_factory=list)
    with_vectors: Times = field(default_factory=list)
    http: Times = field(default_factory=list)
    cpu: dict[str, float] = field(default_factory=dict)
    """Milliseconds of CPU in all, by what was timed in process."""

    @property
    def kinds(self) -> dict[str, Times]:
        """The times by what was timed."""
        return {
            "select 1": self.nothing,
            _FETCHING: self.fetch,
            _LATER: self.later,
            _FIRST: self.first,
            _WITH_VECTORS: self.with_vectors,
            "injection over HTTP, later message": self.http,
        }


async def measure(
    on: Stage, calls: int, people: Sequence[Speaker], http: Served | None, *, vectors: bool = False
) -> Figures:
    """Time every kind of call in turns, the first round unnoted."""
    figures = Figures(on.rows)
    texts = list(islice(cycle(MESSAGES), calls + ROUND))
    later, first = (on.talk(people, texts, first=first) for first in (False, True))
    resources = Resources.build(on.settings(database_pool_size=1, embedding="off"))
    embedding = replace(resources, embedder=RandomEmbedder(MESSAGES))
    try:
        for at in range(0, calls + ROUND, ROUND):
            noted = figures if at else Figures(on.rows)
            server = await _floor(resources, people, at, noted)
            kinds = [(_LATER, later, resources), (_FIRST, first, resources)]
            for kind, said, using in [*kinds, (_WITH_VECTORS, later, embedding)] if vectors else kinds:
                with _spending(noted, kind, server):
                    for chat, message in said[at : at + ROUND]:
                        wish = ContextRequest(chat, message_id=message)
                        await timed(partial(inject_memory, using, wish), noted.kinds[kind])
            for chat, message in later[at : at + ROUND] if http else ():
                await timed(_post(http, chat, message), noted.http)
    finally:
        await resources.close()
    return figures


def _post(http: Served | None, chat: UUID, message: UUID) -> Callable[[], Awaitable[object]]:
    assert http
    return partial(http.call, "inject-memory", {"conversation_id": str(chat), "message_id": str(message)})


async def _floor(resources: Resources, people: Sequence[Speaker], at: int, figures: Figures) -> int:
    """Time the two statements on the pool's only connection; the process of the server that answers there."""
    async with (await resources.database.pool()).connection() as conn:
        await conn.execute("set role service_role")
        server = conn.info.backend_pid
        for _ in range(ROUND):
            await timed(partial(conn.execute, "select 1"), figures.nothing)
        with _spending(figures, _FETCHING, server):  # around all, as around injections: to look costs CPU too
            for number in range(at, at + ROUND):
                await timed(partial(_fetch, conn, people[number % len(people)].user_id), figures.fetch)
        await conn.execute("reset role")
    return server


async def _fetch(conn: Connection, person: UUID) -> None:
    async with conn.cursor(row_factory=tuple_row) as cursor:
        rows = await (await cursor.execute(_FETCH, (person,))).fetchall()
    assert len(rows) >= 1_000


@contextmanager
def _spending(figures: Figures, kind: str, server: int) -> Iterator[None]:
    """Note the CPU that the block takes of this process and of the server's."""
    before = _cpu(server)
    yield
    figures.cpu[kind] = figures.cpu.get(kind, 0.0) + _cpu(server) - before


def _cpu(server: int) -> float:
    """Milliseconds of CPU that both processes took so far."""
    schedule = Path(f"/proc/{server}/schedstat")
    return process_time() * 1_000 + (int(schedule.read_text().split()[0]) / 1e6 if schedule.is_file() else 0.0)


def report(measured: Sequence[Figures]) -> None:
    """Print the figures, and what they are of the floor and of each other."""
    for figures in measured:
        floor = p50(figures.fetch)
        show(
            f"{figures.rows:,} rows, 1,000 of the person asked for (milliseconds)",
            ("", "p50", "p95", "p50 / fetch", "calls"),
            [(kind, p50(t), p95(t), p50(t) / floor, len(t)) for kind, t in figures.kinds.items() if t],
        )
        if not Path("/proc/self/schedstat").is_file():
            continue
        for kind, base in ((_LATER, _FETCHING), (_FIRST, _FETCHING), (_WITH_VECTORS, _LATER)):
            if kind in figures.cpu:
                print(f"{kind}: {figures.cpu[kind] / figures.cpu[base]:.2f} times the CPU of: {base}")
    for smaller, larger in pairwise(measured):
        for kind in (_FETCHING, _LATER, _FIRST):
            ratio = p50(larger.kinds[kind]) / p50(smaller.kinds[kind])
            print(f"{kind}: {larger.rows:,} rows take {ratio:.2f} times as long as {smaller.rows:,}")


async def run(
    given: argparse.Namespace,
) -> list[Figures]:
    """Measure each table size on a server of its own."""
    measured = []
    for rows in given.rows:
        with stage(rows, folder=given.folder, start=conforming_server if given.adopted else migrated_server) as on:
            people = on.people[: given.people]
            if given.vectors:
                store_random_vectors(on)
            if given.no_http:
                measured.append(await measure(on, given.calls, people, None, vectors=given.vectors))
            else:
                async with served(on.settings(embedding="off")) as http:
                    measured.append(await measure(on, given.calls, people, http, vectors=given.vectors))
    return measured


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.injection",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000], help="sizes of the table")
    parser.add_argument("--calls", type=int, default=300, help="timed calls of each kind")
    parser.add_argument("--people", type=int, default=4, help="people asked for in turn")
    parser.add_argument("--no-http", action="store_true", help="leave out the measurement over HTTP")
    parser.add_argument("--vectors", action="store_true", help="give every memory a vector, and time them as well")
    parser.add_argument("--adopted", action="store_true", help="over the copies of an application's chats")
    parser.add_argument("--folder", type=Path, help="where the databases lie while they are needed")
    arguments = parser.parse_args()
    print(machine())
    report(asyncio.run(run(arguments)))


if __name__ == "__main__":
    main()
