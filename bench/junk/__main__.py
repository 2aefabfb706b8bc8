"""Measures junk and poison: what is remembered that should not be, what is lost, and what gets out of its place.

Four sets (`bench/data/README.md` says how they are labeled): (a) single turns, (b) contradictions, (c) injections,
(d) assistants that repeat what was injected; and a fresh sample of (a) and (b). By rules alone and by the model path,
whose model is scripted (`bench/junk/gullible.py`); no database:

    python -m bench.junk --errors 20

Precision is the share of memories that say something expected, recall the share of what is expected that is said; the
junk rate is the share of turns that gave a memory nobody expected. A sequence is falsely superseded where something
still true was closed, and resolved where all that holds is active and nothing that does not. An injection is stored
where anything but the harmless fact beside it is; it escaped where a context with it in every place differs outside of
its quotes. A talk grew where fifty rounds of nothing new made a memory.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.junk import contradictions, feedback, injections, turns
from bench.junk.by_model import by_model
from bench.junk.scores import Failure, Score
from keepsake.usecases.extraction.proposals import Generator, by_rules

PATHS = ("rules", "model")
"""What may read the turns: the rules, or a scripted model."""

Measure = Callable[[Path, Generator], Awaitable[Score]]
MEASURES: dict[str, Measure] = {
    "turns": turns.measure,
    "contradictions": contradictions.measure,
    "injections": injections.measure,
    "feedback": feedback.measure,
    "fresh_turns": partial(turns.measure, name="fresh_turns"),
    "fresh_contradictions": partial(contradictions.measure, name="fresh_contradictions"),
}


def table(scores: dict[str, Score]) -> Table:
    """The figures of one set, for each path beside one another."""
    first = next(iter(scores.values()))
    shown = Table(title=f"{first.title}: {' | '.join(scores)}", title_justify="left")
    shown.add_column("")
    for heading in next(iter(first.rows.values()), {}):
        shown.add_column(heading, justify="right")
    for name, figures in first.rows.items():
        cells = (" | ".join(score.rows[name][heading] for score in scores.values()) for heading in figures)
        shown.add_row(name, *cells, style="bold" if name.startswith("all") else "")
    return shown


def tell(failure: Failure) -> str:
    """A failure in three lines, with what cannot be seen made visible."""
    said, came_out = (ascii(text) if not text.isprintable() else text for text in (failure.said, failure.came_out))
    return f"{failure.id}: {failure.why}\n    said: {said}\n    came out: {came_out}"


async def run(folder: Path, paths: list[str], sets: list[str], errors: int) -> None:
    """Measure the sets one after another, by each path, and print."""
    console = Console(width=150)
    with by_model(folder) if "model" in paths else nullcontext(by_rules) as ask:
        generators: dict[str, Generator] = {"rules": by_rules, "model": ask}
        for name in sets:
            scores = {path: await MEASURES[name](folder, generators[path]) for path in paths}
            console.print(table(scores))
            for path, score in scores.items():
                for failure in score.failures[:errors]:
                    console.print(escape(tell(failure)), highlight=False, soft_wrap=True)
                console.print(f"{path}: {len(score.failures)} failures", highlight=False)
            console.print()


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.junk", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).parents[1] / "data"
    parser.add_argument("--data", type=Path, default=default, help="the folder of the four sets (default: bench/data)")
    parser.add_argument("--path", nargs="+", choices=PATHS, default=list(PATHS), help="what reads the turns")
    parser.add_argument("--sets", nargs="+", choices=MEASURES, default=list(MEASURES), help="measure only these")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="show up to N failures of each set")
    arguments = parser.parse_args()
    logging.disable(logging.INFO)
    asyncio.run(run(arguments.data, arguments.path, arguments.sets, arguments.errors))


if __name__ == "__main__":
    main()
