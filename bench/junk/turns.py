"""(a) Single turns: are the durable facts found, and is nothing else taken for one?"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.junk.claims import Claim, claims, lines
from bench.junk.person import Person, shown
from bench.junk.scores import Failure, Score, share
from keepsake.domain.memory import Memory
from keepsake.usecases.extraction.proposals import Generator

SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)


async def measure(folder: Path, generate: Generator, name: str = "turns") -> Score:
    """Each turn said by somebody new."""
    score = Score(f"(a) {name.replace('_', ' ')}")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in lines(folder, name):
        person = Person(generate)
        await person.says(row["text"], SAID_AT)
        group = "states a fact" if row["expect"] else "states none"
        counts[group] += _judge(row, person.memories, score)
    for group, count in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        score.rows[group] = _figures(count)
    return score


def _judge(row: dict[str, Any], made: list[Memory], score: Score) -> Counter[str]:
    """Count what one turn made, and note what is wrong with it; what it may make and need not counts nowhere."""
    expected, allowed = claims(row["expect"]), claims(row.get("may", ()))
    right = [memory for memory in made if _says_one(expected, memory)]
    wrong = [memory for memory in made if not _says_one((*expected, *allowed), memory)]
    missed = [claim for claim in expected if not any(claim.holds_for(memory) for memory in made)]
    fitting = [memory for memory in right if any(c.holds_for(memory) and c.types_fit(memory) for c in expected)]
    if wrong:
        score.failures.append(Failure(row["id"], row["text"], "junk", shown(wrong)))
    if missed:
        score.failures.append(Failure(row["id"], row["text"], f"missed {'; '.join(map(str, missed))}", shown(made)))
    if len(fitting) < len(right):
        other = [memory for memory in right if memory not in fitting]
        score.failures.append(Failure(row["id"], row["text"], "of another type", shown(other)))
    return Counter(
        turns=1,
        made=len(made),
        right=len(right),
        wrong=len(wrong),
        expected=len(expected),
        missed=len(missed),
        fitting=len(fitting),
        junk=bool(wrong),
    )


def _says_one(wanted: tuple[Claim, ...], memory: Memory) -> bool:
    return any(claim.holds_for(memory) for claim in wanted)


def _figures(count: Counter[str]) -> dict[str, str]:
    return {
        "turns": str(count["turns"]),
        "memories": str(count["made"]),
        "precision": share(count["right"], count["right"] + count["wrong"]),
        "recall": share(count["expected"] - count["missed"], count["expected"]),
        "junk rate": share(count["junk"], count["turns"]),
        "per 10 turns": f"{10 * count['made'] / count['turns']:.2f}",
        "type fits": share(count["fitting"], count["right"]),
    }
