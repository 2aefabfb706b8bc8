"""Runs a benchmark in two trees by turns and compares what it prints: whether one of them is slower than the other.

A tree is a checkout of this repository with what it needs in ``.venv``. Each round runs the command once in each, the
first first and then the second first, so that a machine that grows busier slows down both. Lines of the output that are
the same but for their numbers are put side by side: printed are the medians of every number that differs, and the
median of the rounds' ratios (this tree to the other).
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import defaultdict
from pathlib import Path
from statistics import median

from bench.harness.timing import machine, show

NUMBER = re.compile(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w.,]|\.\d)")
HERE = Path(__file__).resolve().parents[2]

Figures = dict[tuple[str, int], float]
"""The numbers of an output, by their line without its numbers and their place in it."""


def figures(output: str) -> Figures:
    """What an output says in numbers.

    >>> figures("extraction │ 12.5 │ 3 │")
    {('extraction │ │ │', 0): 12.5, ('extraction │ │ │', 1): 3.0}
    """
    found: Figures = {}
    for line in output.splitlines():
        label = " ".join(NUMBER.sub(" ", line).split())
        for place, number in enumerate(NUMBER.findall(line)):
            found[label, place] = float(number)
    return found


def run(tree: Path, command: list[str]) -> Figures:
    """What the benchmark prints in a tree.

    Raises:
        subprocess.CalledProcessError: it failed there.
    """
    python = str(tree / ".venv" / "bin" / "python")
    done = subprocess.run([python, "-m", *command], cwd=tree, check=True, stdout=subprocess.PIPE, text=True)
    return figures(done.stdout)


def main() -> None:
    """Read the arguments, run the rounds and print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m bench.harness.alternate", description=__doc__)
    parser.add_argument("other", type=Path, help="the root of the other tree")
    parser.add_argument("--rounds", type=int, default=5, help="runs in each tree (default: 5)")
    parser.add_argument(
        "--here", default="", help="options only for this tree, which may be the other, too: --here=--adopted"
    )
    parser.add_argument(
        "command",
        nargs=argparse.REMAINDER,
        help="a benchmark and its options, last of all: bench.speed.extraction --turns 100",
    )
    asked = parser.parse_args()
    print(machine())
    here: dict[tuple[str, int], list[float]] = defaultdict(list)
    there: dict[tuple[str, int], list[float]] = defaultdict(list)
    for number in range(asked.rounds):
        sides = [(HERE, here), (asked.other.resolve(), there)]
        for tree, kept in sides if number % 2 else reversed(sides):
            more = asked.here.split() if kept is here else []
            for label, figure in run(tree, [*asked.command, *more]).items():
                kept[label].append(figure)
        print(f"round {number + 1} of {asked.rounds}", flush=True)
    rows = [
        (label, place + 1, median(there[label, place]), median(ours), median(_ratios(ours, there[label, place])))
        for (label, place), ours in here.items()
        if len(ours) == len(there[label, place]) == asked.rounds and ours != there[label, place]
    ]
    show("Medians", ["line", "number", "other", "here", "here / other"], rows, width=140)


def _ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [one / other if other else 1.0 for one, other in zip(ours, theirs, strict=True)]


if __name__ == "__main__":
    main()
