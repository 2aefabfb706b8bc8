"""Runs a file of inputs that the product once got wrong, each by its entrance, and prints which are right.

A row is a JSON object with an id, an entrance, an input, and what is right. Rows about messages, commands, the tool,
edits and imports run on a stack without a model, rows about replies of a model on one whose endpoint answers what the
row says. Rows that need Node, another clock, a full disk or the Supabase CLI are not run: what covers them is named.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.attack.stack import AttackStack, attack_stack
from bench.failing_inputs import with_model, without_model
from bench.failing_inputs.rows import Row, read_rows
from tests.model_server.running import ModelServer

RIGHT, WRONG, NOT_RUN = "right", "WRONG", "not run"


def stack_of(row: Row) -> str:
    """Which stack a row runs on."""
    if row.is_for_a_model:
        return "prompt"
    if row.id.startswith("PB-05/"):
        return "auto"
    return "local" if "EMBEDDING=local" in row.entrance else "off"


@asynccontextmanager
async def stack(kind: str, model: ModelServer) -> AsyncIterator[AttackStack]:
    """A stack of a kind: with vectors or without, or with a model that is asked by schema or by prompt."""
    environment = {"EMBEDDING": "local" if kind == "local" else "off"}
    if kind in {"prompt", "auto"}:
        environment |= {
            "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "none", "OPENAI_EXTRACTION_MODEL": "scripted",
            "OPENAI_SCHEMA_MODE": kind, "MODEL_TRIAL": "false",
        }  # fmt: skip
    before = dict(os.environ)  # noqa: TID251 (it is what the stack is started with)
    os.environ.update(environment)  # noqa: TID251
    try:
        with tempfile.TemporaryDirectory(prefix="keepsake-failing-") as folder:
            async with attack_stack(Path(folder)) as on:
                yield on
    finally:
        os.environ.clear()  # noqa: TID251
        os.environ.update(before)  # noqa: TID251


async def run_row(row: Row, on: AttackStack, model: ModelServer) -> str:
    """Whether a row is right."""
    try:
        for begin, check in with_model.CHECKS if stack_of(row) in {"prompt", "auto"} else ():
            if row.id.startswith(begin):
                return RIGHT if await check(on, model, row) else WRONG
        for begin, plain in without_model.CHECKS:
            if row.id.startswith(begin):
                return RIGHT if await plain(on, row) else WRONG
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as fault:
        print(f"{row.id}: {fault!r}", file=sys.stderr)
        return WRONG
    return NOT_RUN


async def run(rows: Sequence[Row]) -> Mapping[str, str]:
    """The result of every row, by its id."""
    results = {row.id: f"{NOT_RUN}: {row.elsewhere}" for row in rows if row.elsewhere}
    with ModelServer() as model:
        for kind in ("off", "local", "prompt", "auto"):
            mine = [row for row in rows if row.id not in results and stack_of(row) == kind]
            if not mine:
                continue
            async with stack(kind, model) as on:
                for row in mine:
                    results[row.id] = await run_row(row, on, model)
                    print(f"{results[row.id]:8} {row.id}", file=sys.stderr, flush=True)
    return results


def main() -> int:
    """Run the rows and print the table; 1 where a row is wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path, help="the rows, a JSON object a line")
    options.add_argument("--only", default="", help="only rows whose id begins so")
    given = options.parse_args()
    rows = [row for row in read_rows(given.file) if row.id.startswith(given.only)]
    results = asyncio.run(run(rows))
    for row in rows:
        print(f"{row.id:36} {row.part:18} {results[row.id]}")
    print()
    totals = Counter((row.part, results[row.id].partition(":")[0]) for row in rows)
    for part in sorted({row.part for row in rows}):
        print(f"{part:18} {', '.join(f'{totals[part, result]} {result}' for result in (RIGHT, WRONG, NOT_RUN))}")
    counts = Counter(result.partition(":")[0] for result in results.values())
    print(f"{'all':18} {', '.join(f'{counts[result]} {result}' for result in (RIGHT, WRONG, NOT_RUN))}")
    return 1 if counts[WRONG] else 0


if __name__ == "__main__":
    sys.exit(main())
