"""Measures chats as people type them: what is remembered, what changes, and what contexts hold.

Reads `bench/data/chat`, or another folder with files of the same form (`--data`). By rules alone, or by a language
model at an endpoint (`--model-url`), such as the scripted one of the tests or `bench/extraction/small_model_server.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from pathlib import Path
from typing import Any

from bench.chat import in_process
from bench.chat.chatter import Chatter
from bench.chat.measures import PARTS, Result
from bench.harness.stage import stage
from bench.harness.timing import show
from keepsake.infra.resources import Resources

_DATA = Path(__file__).parents[1] / "data" / "chat"


async def run(folder: Path, parts: list[str], settings: dict[str, Any]) -> dict[str, Result]:
    """Measure the parts one after another, each case with a person of its own."""
    results = {}
    with stage(0) as on:
        resources = Resources.build(on.settings(extractions_per_minute=1_000_000, **settings))
        try:
            for name in parts:
                results[name] = await PARTS[name][0](_rows(folder, name), lambda: Chatter.sign_up(on, resources))
        finally:
            await resources.close()
    return results


async def run_in_process(folder: Path, parts: list[str], kept: slice) -> dict[str, Result]:
    """Measure the parts that need no context by rules, without a database, on these lines of each file."""
    return {name: await in_process.PARTS[name](_rows(folder, name)[kept], in_process.Listener) for name in parts}


def _rows(folder: Path, name: str) -> list[Any]:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _print(results: dict[str, Result], *, verbose: bool) -> None:
    rows = [
        (name, label, counts[part], counts[whole], f"{counts[part] / max(1, counts[whole]):.3f}")
        for name, counts in ((name, result.counts) for name, result in results.items())
        for label, part, whole in PARTS[name][1]
        if part in counts or whole in counts
    ]
    if verbose:
        for name, result in results.items():
            for case in result.cases:
                if name == "languages" or case["missed"] or case["wrong"]:
                    print(f"{name}: {case['said']}")
                    print("    " + "  ".join(f"{key} {case[key]}" for key in ("stored", "missed", "wrong")))
    show("Chat as people type it", ("", "", "", "of", "share"), rows)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.chat", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=_DATA, help="the folder of the set (default: bench/data/chat)")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure only this part; several times")
    parser.add_argument("--model-url", help="an OpenAI-compatible endpoint that reads the messages")
    parser.add_argument("--model", default="scripted", help="the model's name there")
    parser.add_argument("--local", action="store_true", help="with the embedding model of this process")
    parser.add_argument("--deadline", type=float, default=30, help="seconds for a call of the model")
    parser.add_argument("--verbose", action="store_true", help="list what was missed and what was wrong")
    parser.add_argument(
        "--in-process", action="store_true", help="without a database: only the parts that need no context, by rules"
    )
    parser.add_argument("--even", action="store_true", help="only even lines, with --in-process")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    if given.in_process:
        parts = given.only or [part for part in in_process.PARTS if (given.data / f"{part}.jsonl").exists()]
        kept = slice(1, None, 2) if given.even else slice(None)
        _print(asyncio.run(run_in_process(given.data, parts, kept)), verbose=given.verbose)
        return
    settings: dict[str, Any] = {"embedding": "local" if given.local else "off"}
    if given.model_url:
        settings |= {
            "openai_base_url": given.model_url,
            "openai_extraction_model": given.model,
            "model_trial": False,
            "model_deadline_seconds": given.deadline,
        }
    results = asyncio.run(run(given.data, given.only or list(PARTS), settings))
    _print(results, verbose=given.verbose)


if __name__ == "__main__":
    main()
