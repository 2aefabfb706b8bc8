"""(b) Contradictions, true and apparent: is what changed replaced, and nothing else?"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.junk.claims import claims, lines
from bench.junk.person import Person, shown
from bench.junk.scores import Failure, Score, share
from keepsake.usecases.extraction.proposals import Generator


async def measure(folder: Path, generate: Generator, name: str = "contradictions") -> Score:
    """Each sequence said by somebody new, in the order it arrives."""
    score = Score(f"(b) {name.replace('_', ' ')}")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in lines(folder, name):
        person = Person(generate)
        for turn in row["turns"]:
            await person.says(turn["text"], datetime.fromisoformat(turn["at"]))
        found = _judge(row, person, score)
        counts[row["category"]] += found
        kind = row["category"].partition("_")[0]
        counts[f"all {kind}" if kind in {"apparent", "paraphrase"} else "all true"] += found
    for category in sorted(counts, key=lambda name: (name.startswith("all"), name)):
        score.rows[category] = _figures(counts[category])
    return score


def _judge(row: dict[str, Any], person: Person, score: Score) -> Counter[str]:
    """What became of one sequence: resolved, or what is stale, missing or falsely superseded."""
    stays = row["category"].startswith(("apparent", "paraphrase"))
    active, gone = claims(row["active"]), claims(row["gone"])
    missing = [claim for claim in active if not any(map(claim.holds_for, person.active))]
    stale = [claim for claim in gone if any(map(claim.holds_for, person.active))]
    lost = [claim for claim in missing if any(map(claim.holds_for, person.closed))]
    false = bool(person.closed) if stays else bool(lost)
    problems = {
        "falsely superseded": [str(claim) for claim in lost] or ["something"] if false else [],
        "stale": [str(claim) for claim in stale],
        "missing": [str(claim) for claim in missing],
    }
    said = " || ".join(turn["text"] for turn in row["turns"])
    if why := [f"{word}: {'; '.join(which)}" for word, which in problems.items() if which]:
        score.failures.append(Failure(row["id"], said, ", ".join(why), shown(person.memories)))
    return Counter(
        sequences=1,
        resolved=not (missing or stale or false),
        false=false,
        stale=bool(stale),
        missing=bool(missing),
        superseded=bool(person.closed),
        active=len(person.active),
    )


def _figures(count: Counter[str]) -> dict[str, str]:
    return {
        "sequences": str(count["sequences"]),
        "false supersede": share(count["false"], count["sequences"]),
        "resolved": share(count["resolved"], count["sequences"]),
        "old one kept": str(count["stale"]),
        "new one missing": str(count["missing"]),
        "superseded": str(count["superseded"]),
        "active each": f"{count['active'] / count['sequences']:.2f}",
    }
