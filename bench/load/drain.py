"""Counts the waiting messages that workers process in a second: extraction by rules, the database included.

A bounded number of messages of a bounded number of people is saved and delivered beforehand, then the workers start.
The rate is taken from the first messages processed until none waits. The CPU of the workers and of the server is
counted too: on a shared machine it says more than the time. Nothing may be lost or processed twice.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from time import perf_counter

import psycopg

from bench.harness.stage import Stage, stage
from bench.harness.timing import machine, show
from bench.harness.traffic import (
    Sent,
    announce,
    cpu_seconds,
    ends,
    save_messages,
    server_pid,
    settings_of_load,
    statements,
    violations,
    workers,
)

MOST = 50_000
"""Messages one run may process."""
_STUCK_SECONDS = 60.0
_WAITING = "select count(*) from keepsake.extractions where status in ('pending', 'claimed')"


async def drain(on: Stage, sent: Sent, count: int) -> tuple[object, ...]:
    """Process all messages; a row of the table."""
    server = server_pid(on)
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:

        def waiting() -> int:
            row = connection.execute(_WAITING).fetchone()
            assert row
            return int(row[0])

        async with workers(settings_of_load(on), count) as running:
            pids = [process.pid for process in running]
            while (left := waiting()) > len(sent) * 0.95:  # noqa: ASYNC110 (other processes are waited for)
                await asyncio.sleep(0.02)
            first, began = left, perf_counter()
            cpu = cpu_seconds(pids), cpu_seconds([server])
            changed = began
            while left and perf_counter() - changed < _STUCK_SECONDS:
                await asyncio.sleep(0.1)
                now = waiting()
                left, changed = now, changed if now == left else perf_counter()
            seconds = perf_counter() - began
            used = cpu_seconds(pids) - cpu[0], cpu_seconds([server]) - cpu[1]
    done = first - left
    return count, done, done / seconds, used[0] / done * 1000, used[1] / done * 1000


async def run(messages: int, people: int, counts: list[int], folder: Path | None) -> None:
    """Drain with each number of workers, on one server, and print."""
    rows = []
    with stage(100 * people, each=100, folder=folder) as on:
        for number, count in enumerate(counts):
            sent = save_messages(on, statements(messages, seed=number))
            await announce(on, sent)
            row = await drain(on, sent, count)
            found = ends(on, sent)
            rows.append((*row, found.extracted, found.lost + found.waiting, found.twice, found.quarantined))
        broken = violations(on)
    show(
        f"Draining {messages} messages of {people} people",
        (
            "workers", "timed", "messages/s", "CPU ms a message: workers", "server",
            "extracted", "lost", "twice", "quarantined",
        ),
        rows,
    )  # fmt: skip
    print("invariants:", ", ".join(broken) or "all hold")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.load.drain", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=6_000, help=f"messages each time, {MOST} at most")
    parser.add_argument("--people", type=int, default=200, help="people who said them, in turn")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="workers, eight at most")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    counts = [min(count, 8) for count in arguments.workers]
    asyncio.run(run(min(arguments.messages, MOST), arguments.people, counts, arguments.folder))


if __name__ == "__main__":
    main()
