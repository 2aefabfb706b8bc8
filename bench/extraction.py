"""Times extraction without the model's own time: with rules, and with a model that answers at once.

The model is the scripted one, over real HTTP in a process of its own; the time between a question and its answer, as
the product's own metric has it, is taken off. Every turn is a new one; its statements are compared with all that is
known of the person, so it is measured at 100 memories each and at 1,000, which is the most one can have.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from bench.sayings import STATEMENTS, filled
from bench.serving import HOST, free_port
from bench.stage import Stage, stage
from bench.timing import Times, machine, p50, p95, show
from keepsake.infra.resources import Resources
from keepsake.usecases.extract_user_memory import extract_user_memory

WARM_UP = 10


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


def _model_seconds(use: Resources) -> float:
    """How long the model was waited for until now."""
    samples = (sample for metric in use.metrics.model_seconds.collect() for sample in metric.samples)
    return sum(sample.value for sample in samples if sample.name.endswith("_sum"))


async def measure(on: Stage, turns: int, **settings: Any) -> tuple[Times, Times, Counter[str]]:
    """Extract from that many turns: milliseconds without the model's, the model's, and what became of the turns."""
    dice = random.Random(turns)  # noqa: S311 (the same in every run)
    texts = [filled(pattern, dice) for pattern in islice(cycle(STATEMENTS), turns + WARM_UP)]
    said = on.talk(on.people[:20], texts)
    own: Times = []
    model: Times = []
    ended: Counter[str] = Counter()
    use = Resources.build(on.settings(extractions_per_minute=1_000_000, **settings))
    try:
        for chat, message in said:
            before, began = _model_seconds(use), perf_counter()
            done = await extract_user_memory(use, conversation_id=chat, message_id=message)
            took, waited = perf_counter() - began, _model_seconds(use) - before
            own.append((took - waited) * 1000)
            model.append(waited * 1000)
            ended[f"{done.status} by {done.generator}"] += 1
            ended["memories"] += len(done.memories)
    finally:
        await use.close()
    return own[WARM_UP:], model[WARM_UP:], ended


async def run(turns: int, folder: Path | None) -> None:
    """Measure both ways on one server, and print."""
    rows: list[tuple[object, ...]] = []
    with scripted_model() as url:
        for each in (100, 1_000):
            with stage(20 * each, each=each, folder=folder) as on:
                for name, settings in (
                    ("rules", {}),
                    ("a model that answers at once", {"openai_extraction_model": "scripted", "openai_base_url": url}),
                ):
                    own, model, ended = await measure(on, turns, **settings)
                    what = ", ".join(f"{count} {thing}" for thing, count in ended.items())
                    rows.append((f"{name}, at {each:,}", p50(own), p95(own), p50(model), what))
    show(
        f"Extraction of {turns} turns, one after another, by how many memories a person has (milliseconds)",
        ("", "own p50", "own p95", "model p50", "turns and memories"),
        rows,
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.extraction", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=300, help="timed turns of each kind")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    asyncio.run(run(arguments.turns, arguments.folder))


if __name__ == "__main__":
    main()
