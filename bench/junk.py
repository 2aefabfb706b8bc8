"""Measures junk and poison: what is remembered that should not be, what is lost, and what gets out of its place.

Four sets (`bench/data/README.md` says how they are labelled): (a) single turns, (b) contradictions, (c) injections,
(d) assistants that repeat what was injected. Rules alone, no database and no model:

    python bench/junk.py --errors 20

Precision is the share of memories that say something expected, recall the share of what is expected that is said; the
junk rate is the share of turns that gave a memory nobody expected. A sequence is falsely superseded where something
still true was closed, and resolved where all that holds is active and nothing that does not. An injection is stored
where anything but the harmless fact beside it is; it escaped where a context with it in every place differs outside of
its quotes. A talk grew where fifty rounds of nothing new made a memory.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a script, from wherever

from bench.junk_eval import contradictions, feedback, injections, turns
from bench.junk_eval.scores import Failure, Score
from keepsake.usecases.proposals import Generator, by_rules

PATHS: dict[str, Generator] = {"rules": by_rules}
"""What may read the turns; a scripted model is another generator of the same shape."""

MEASURES = {set_.__name__.rpartition(".")[2]: set_.measure for set_ in (turns, contradictions, injections, feedback)}


def table(score: Score, path: str) -> Table:
    """The figures of one set."""
    shown = Table(title=f"{score.title}: {path}", title_justify="left")
    shown.add_column("")
    for heading in next(iter(score.rows.values()), {}):
        shown.add_column(heading, justify="right")
    for name, figures in score.rows.items():
        shown.add_row(name, *figures.values(), style="bold" if name.startswith("all") else "")
    return shown


def tell(failure: Failure) -> str:
    """A failure in three lines, with what cannot be seen made visible."""
    said, came_out = (ascii(text) if not text.isprintable() else text for text in (failure.said, failure.came_out))
    return f"{failure.id}: {failure.why}\n    said: {said}\n    came out: {came_out}"


async def run(folder: Path, path: str, sets: list[str], errors: int) -> None:
    """Measure the sets one after another, and print."""
    console = Console(width=130)
    for name in sets:
        score = await MEASURES[name](folder, PATHS[path])
        console.print(table(score, path))
        for failure in score.failures[:errors]:
            console.print(escape(tell(failure)), highlight=False, soft_wrap=True)
        console.print(f"{len(score.failures)} failures\n", highlight=False)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).parent / "data"
    parser.add_argument("--data", type=Path, default=default, help="the folder of the four sets (default: bench/data)")
    parser.add_argument("--path", choices=PATHS, default="rules", help="what reads the turns")
    parser.add_argument("--sets", nargs="+", choices=MEASURES, default=list(MEASURES), help="measure only these")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="show up to N failures of each set")
    arguments = parser.parse_args()
    asyncio.run(run(arguments.data, arguments.path, arguments.sets, arguments.errors))


if __name__ == "__main__":
    main()
