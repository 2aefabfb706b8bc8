"""(d) Feedback: an assistant repeats what was injected, fifty times over; does the store grow?"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.junk.claims import lines
from bench.junk.person import Person, shown
from bench.junk.scores import Failure, Score
from keepsake.usecases.extraction.proposals import Generator

ROUNDS = 50
TOLD_AGAIN_EVERY = 10
_FIRST = datetime(2026, 1, 5, 12, tzinfo=UTC)


async def measure(folder: Path, generate: Generator) -> Score:
    """Each line with somebody new, who says something once and then talks on for fifty rounds."""
    score = Score(f"(d) feedback, {ROUNDS} rounds")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in lines(folder, "feedback"):
        person = Person(generate)
        await person.says(row["told"], _FIRST)
        before = len(person.memories)
        await _talk(person, row)
        grown = len(person.memories) - before
        if grown or person.closed:
            said = f"{row['told']} || {row['reply']}"
            score.failures.append(Failure(row["id"], said, f"grew by {grown}", shown(person.memories)))
        count = Counter(talks=1, before=before, after=len(person.active), made=len(person.memories), grew=grown > 0)
        counts[row["category"]] += count
        counts["all"] += count
    for category in sorted(counts, key=lambda name: (name == "all", name)):
        score.rows[category] = _figures(counts[category])
    return score


async def _talk(person: Person, row: dict[str, Any]) -> None:
    """Only the person's own words are read: the answer is heard by them, and by memory only where they quote it."""
    for number in range(1, ROUNDS + 1):
        at = _FIRST + timedelta(minutes=5 * number)
        await person.says(row["reply"], at, after=row["answer"])
        if number % TOLD_AGAIN_EVERY == 0:
            await person.says(row["told"], at + timedelta(minutes=1), after=row["answer"])


def _figures(count: Counter[str]) -> dict[str, str]:
    return {
        "talks": str(count["talks"]),
        "memories at first": str(count["before"]),
        "active at the end": str(count["after"]),
        "ever made": str(count["made"]),
        "talks that grew": str(count["grew"]),
    }
