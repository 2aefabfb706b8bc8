"""Attacks a whole stack over HTTP: REST, the functions and MCP, as a stranger, as an agent, and with foreign text.

The stack is started for it, on the loopback, and stopped at the end. Every text and every id is new for each seed. The
table shows by class how many attempts there were and how many succeeded; each of the last rows must be 0 too: answers
with 5xx (what the functions logged of them is printed), rows that break an invariant of the data after all of it, and
checks of ``keepsake doctor`` that fail. ``--copied`` does the same where people, chats and messages are in tables of an
application's own, with names of Keepsake's and numbers as keys.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.attack.entrances import attack_context, attack_screening, check_harmless
from bench.attack.names import attack_names
from bench.attack.outsiders import (
    attack_as_agent,
    attack_deletions,
    attack_ids_of_others,
    attack_time,
    attack_tokens,
)
from bench.attack.screening import Tally
from bench.attack.stack import Attack, attack_stack
from bench.attack.written_chats import CopiedChats, OwnChats
from keepsake.infra.package_files import SQL_FOLDER

CLASSES = (
    attack_ids_of_others, attack_tokens, attack_screening, attack_names, check_harmless, attack_as_agent,
    attack_context, attack_deletions, attack_time,
)  # fmt: skip
_LIMITS = {
    "harmless": 0.02, "secrets": 0.01, "instructions and claims": 0.01, "financial amounts": 0.02, "names": 0.01,
}  # fmt: skip


async def run(seed: int, texts: int, folder: Path, chats: OwnChats) -> dict[str, Tally]:
    """Every class against one stack; the tallies, with the 5xx answers and the broken invariants at the end."""
    async with attack_stack(folder, chats) as on:
        attack = Attack(on, random.Random(seed), seed, texts)  # noqa: S311 (the same for the same seed)
        for attack_class in CLASSES:
            began = time.monotonic()
            await attack_class(attack)
            print(f"{attack_class.__name__}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        for status, answers in on.statuses.items():
            for _ in range(answers if status < 500 else 0):
                attack.count("answers with 5xx", "", failed=False)
        for error in on.server_errors:
            print(error, file=sys.stderr, flush=True)
            attack.count("answers with 5xx", error, failed=True)
        for request in on.deadlocks:
            attack.count("deadlocks with a deletion by the host (503 and Retry-After)", request, failed=False)
        broken = on.sql((SQL_FOLDER / "checks" / "invariants.sql").read_text(encoding="utf-8"))
        attack.count("invariants", "", failed=False)
        for row in broken:
            attack.count("invariants", str(row), failed=True)
        for line in _findings(folder):
            attack.count("checks of keepsake doctor", line, failed=line.startswith("✗"))
    return attack.tallies


def _findings(folder: Path) -> list[str]:
    """The findings of ``keepsake doctor`` about the stack, one line each; what failed begins with a cross."""
    command = [sys.executable, "-m", "keepsake.cli", "doctor", "--data", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    return lines if lines or not done.returncode else [f"✗ {done.stderr[-200:]}"]


def main() -> int:
    """Attack and print the table; 1 where a class is over its limit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=int(time.time()), help="what is attacked with; new each time")
    options.add_argument("--texts", type=int, default=150, help="texts of each class at each entrance (default: 150)")
    options.add_argument("--copied", action="store_true", help="over chats of an application's, which adopted Keepsake")
    options.add_argument("--show", action="store_true", help="print every failure")
    given = options.parse_args()
    chats = CopiedChats() if given.copied else OwnChats()
    with tempfile.TemporaryDirectory(prefix="keepsake-attack-") as folder:
        tallies = asyncio.run(run(given.seed, given.texts, Path(folder), chats))
    table = Table(title=f"attack over HTTP{', copied chats' if given.copied else ''}, seed {given.seed}")
    for heading in ("class", "attempts", "failures", "limit"):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    over = False
    for kind, tally in tallies.items():
        limit = _LIMITS.get(re.split("[,:]", kind)[0], 0.0)
        is_over = len(tally.failures) > limit * tally.attempts
        over = over or is_over
        table.add_row(
            kind, str(tally.attempts), str(len(tally.failures)), f"{limit:.0%}", style="bold red" if is_over else None
        )
    Console(width=110).print(table)
    if given.show:
        for kind, tally in tallies.items():
            for text in dict.fromkeys(tally.failures):
                print(f"{kind} | {text}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
