"""Counts the webhooks that one process takes in a second: chat-send over HTTP, each answered once it is committed.

The functions run in one process behind the gateway, on the loopback only; a bounded number of messages is saved
beforehand, and each is delivered once by a bounded number of connections. No worker runs beside: what is measured is
taking note, not extraction. The client shares the machine, and so takes a part of it. Then the same is done in process,
without HTTP: what it costs in CPU and in round trips to the database.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from uuid import UUID

import psycopg

from bench.harness.effort import HEADINGS, Efforts, metering
from bench.harness.sayings import MESSAGES
from bench.harness.serving import Client, served
from bench.harness.stage import Stage, stage
from bench.harness.timing import Times, machine, p50, p95, show, timed
from keepsake.infra.resources import Resources
from keepsake.usecases.chat_send import chat_send

MOST = 20_000
"""Messages one run may deliver."""


async def _deliver(client: Client, waiting: Iterator[tuple[UUID, UUID]], times: Times) -> None:
    """One connection's share: the next message as soon as the last is answered."""
    for chat, message in waiting:
        body = {"conversation_id": str(chat), "message_id": str(message)}

        async def call(body: dict[str, str] = body) -> None:
            answer = await client.call("chat-send", body)
            assert answer["status"] == "accepted", answer

        await timed(call, times)
    await client.close()


async def in_process(on: Stage, messages: int) -> Efforts:
    """What taking note of a message costs the process that does it, HTTP apart."""
    efforts, resources = Efforts(), Resources.build(on.settings())
    try:
        with metering() as meter:
            for chat, message in on.talk(on.people, list(islice(cycle(MESSAGES), messages))):
                with meter.taking(efforts):
                    await chat_send(resources, conversation_id=chat, message_id=message)
    finally:
        await resources.close()
    return efforts


async def run(messages: int, connections: list[int], folder: Path | None) -> None:
    """Deliver as many messages over each number of connections, and print."""
    rows: list[tuple[object, ...]] = []
    with stage(2_000, folder=folder) as on:
        async with served(on.settings()) as server:
            for count in connections:
                said = on.talk(on.people, list(islice(cycle(MESSAGES), messages)))
                times: Times = []
                waiting = iter(said)
                began = perf_counter()
                await asyncio.gather(*(_deliver(server.connect(), waiting, times) for _ in range(count)))
                seconds = perf_counter() - began
                rows.append((count, messages / seconds, p50(times), p95(times), len(times)))
        efforts = await in_process(on, messages)
        with psycopg.connect(on.superuser_url) as connection:
            noted = connection.execute("select count(*) from keepsake.extractions").fetchone()
    assert noted == (messages * (len(connections) + 1),), noted
    show(
        "Webhooks on one process",
        ("connections", "webhooks/s", "p50 ms", "p95 ms", "accepted"),
        rows,
    )
    show(
        f"Taking note of {messages} messages in process, one after another", ("", *HEADINGS), [("", *efforts.summary())]
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.webhooks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=2_000, help=f"messages delivered each time, {MOST} at most")
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 4, 16], help="connections kept open")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    asyncio.run(run(min(arguments.messages, MOST), [min(n, 64) for n in arguments.connections], arguments.folder))


if __name__ == "__main__":
    main()
