"""Times extraction without the model's own time: with rules, and with a model that answers at once.

The model is the scripted one, over real HTTP in a process of its own; the time between a question and its answer, as
the product's own metric has it, is taken off. Every turn is a new one, of one of twenty people in turn. It is measured
at 100 memories each and at 1,000, which is the most one can have: whatever is new then also archives the oldest; and at
1,000 that half of the people imported, without a key that the rules know, in turns with the others.
Round trips are what the functions wait for the database; CPU is theirs alone, not the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from time import sleep
from typing import Any
from uuid import UUID

import psycopg

from bench.harness.adopted_server import conforming_server
from bench.harness.effort import HEADINGS, Efforts, metering
from bench.harness.sayings import STATEMENTS, filled
from bench.harness.serving import HOST, free_port
from bench.harness.stage import Stage, StartServer, migrated_server, stage
from bench.harness.timing import machine, show
from keepsake.infra.resources import Resources
from keepsake.usecases.extract_user_memory import extract_user_memory

WARM_UP = 10
_IMPORTED = """
update public.user_memory
set memory_text = 'On ' || to_char(created_at, 'YYYY-MM-DD') || ': ' || memory_text, memory_key = null, value = null,
  source = 'import'
where user_id = any(%(people)s)
"""
_IMPORTED_WORDS = """
update keepsake.memory_index as i set lexemes = to_tsvector('pg_catalog.english', m.memory_text)
from public.user_memory as m
where m.user_id = i.user_id and m.id = i.memory_id and i.user_id = any(%(people)s)
"""
Said = Sequence[tuple[UUID, UUID]]
"""The conversation and the message of each turn."""


@contextmanager
def scripted_model() -> Iterator[str]:
    """Run the scripted model in a process of its own, and give the base URL."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.model_server", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://{HOST}:{port}/v1"
        for _ in range(200):
            with suppress(OSError), urllib.request.urlopen(f"{url}/models"):  # noqa: S310 (our own address)
                break
            sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait()


def _model_seconds(resources: Resources) -> float:
    """How long the model was waited for until now."""
    samples = (sample for metric in resources.metrics.model_seconds.collect() for sample in metric.samples)
    return sum(sample.value for sample in samples if sample.name.endswith("_sum"))


async def measure(on: Stage, said: Said, **settings: Any) -> tuple[Efforts, Counter[str]]:
    """Extract from these turns, of which the first only warm up: the effort of each, and what became of them."""
    efforts = Efforts()
    ended: Counter[str] = Counter()
    resources = Resources.build(on.settings(extractions_per_minute=1_000_000, **settings))
    try:
        with metering() as meter:
            for number, (chat, message) in enumerate(said):
                before = _model_seconds(resources)
                with meter.taking(efforts if number >= WARM_UP else Efforts()) as model:
                    done = await extract_user_memory(resources, conversation_id=chat, message_id=message)
                    model.append((_model_seconds(resources) - before) * 1000)
                if number >= WARM_UP:
                    ended[f"{done.status} by {done.generator}"] += 1
                    ended["memories"] += len(done.memories)
    finally:
        await resources.close()
    return efforts, ended


def statements(count: int, seed: int) -> list[str]:
    """What people say, turn after turn, warming up included: the same in every run."""
    dice = random.Random(seed)  # noqa: S311 (as said)
    return [filled(pattern, dice) for pattern in islice(cycle(STATEMENTS), count + WARM_UP)]


async def compare_imported(turns: int, folder: Path | None, start: StartServer) -> list[tuple[object, ...]]:
    """The effort by rules for people whose memories were extracted, and for others who imported theirs."""
    with stage(8_000, folder=folder, start=start) as on:
        groups = {"extracted": on.people[:4], "imported": on.people[4:]}
        with psycopg.connect(on.superuser_url, autocommit=True) as connection:
            imported = {"people": [person.user_id for person in groups["imported"]]}
            with connection.transaction():
                connection.execute("set local session_replication_role = replica")
                connection.execute(_IMPORTED, imported)
                connection.execute(_IMPORTED_WORDS, imported)
            connection.execute("vacuum (analyze)")
        texts = statements(turns, seed=0)
        said = {name: on.talk(people, texts) for name, people in groups.items()}
        efforts = {name: Efforts() for name in groups}
        resources = Resources.build(on.settings(extractions_per_minute=1_000_000, embedding="off"))
        try:
            with metering() as meter:
                for number in range(turns + WARM_UP):
                    for name, kept in efforts.items():
                        chat, message = said[name][number]
                        with meter.taking(kept if number >= WARM_UP else Efforts()):
                            await extract_user_memory(resources, conversation_id=chat, message_id=message)
        finally:
            await resources.close()
    return [(f"rules, at 1,000 {name}", *kept.summary(), "") for name, kept in efforts.items()]


async def run(turns: int, folder: Path | None, start: StartServer) -> None:
    """Measure both ways on one server, and print."""
    rows: list[tuple[object, ...]] = []
    with scripted_model() as url:
        for each in (100, 1_000):
            with stage(20 * each, each=each, folder=folder, start=start) as on:
                for name, by, settings in (
                    ("rules", "rules", {}),
                    (
                        "a model",
                        "llm",
                        {"openai_extraction_model": "scripted", "openai_base_url": url, "model_trial": False},
                    ),
                ):
                    said = on.talk(on.people, statements(turns, seed=len(rows)))
                    efforts, ended = await measure(on, said, **settings)
                    assert ended[f"extracted by {by}"] == turns, ended
                    rows.append((f"{name}, at {each:,}", *efforts.summary(), ended["memories"]))
    rows += await compare_imported(turns, folder, start)
    show(
        f"Extraction of {turns} turns, one after another, by how many memories a person has",
        ("", *HEADINGS, "memories"),
        rows,
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.extraction",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--turns", type=int, default=300, help="timed turns of each kind")
    parser.add_argument("--adopted", action="store_true", help="over the copies of an application's chats")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    start = conforming_server if arguments.adopted else migrated_server
    asyncio.run(run(arguments.turns, arguments.folder, start))


if __name__ == "__main__":
    main()
