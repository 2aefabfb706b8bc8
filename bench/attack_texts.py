"""Attacks the screening with secrets, claims of authority and amounts at each entrance, and counts false rejections.

Everything runs in process, with the functions that each entrance calls. A text counts as stored where a memory holds
any part of what is marked as secret, or of a text that is all attack anything at all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.attack_in_process import ENTRANCES, NAME_ENTRANCES, by_endpoint, by_import, read_with_local_model
from bench.attack_values import Values
from keepsake.domain.memory import MAX_TEXT_LENGTH
from keepsake.domain.screening.prompt_injection import is_prompt_injection
from keepsake.domain.screening.secret_detection import find_secrets

_DATA = Path(__file__).parent / "data" / "attack_texts"
_MARK = re.compile(r"\[\[|\]\]")
_MASK = "[hidden]"
_NAMES = "foreign names"
_LATER = ("second", "third", "fifth", "sixth", "roundabout")
_SECRET = re.compile(r"\[\[([^\[\]]+)\]\]")
_HARMLESS_SETS = (
    "personal",
    "personal_second",
    "personal_fifth",
    "personal_sixth",
    "personal_roundabout",
    "ordinary_requests",
)
_HARMLESS_COUNTS = {"dates": 1500, "ranges": 500, "phones": 500, "numbers": 500, "coordinates": 500, "amounts": 500}


@dataclass(frozen=True, slots=True)
class AttackText:
    """One text, and which parts of it are secret; without any, all of it is the attack."""

    text: str
    secrets: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """Attempts and failures of one class at one entrance."""

    attempts: int = 0
    failures: list[str] = field(default_factory=list)

    def count(self, text: str, *, failed: bool) -> None:
        """Count one attempt."""
        self.attempts += 1
        if failed:
            self.failures.append(text)


def read_lines(name: str) -> list[str]:
    """The lines of a data file without comments."""
    lines = (_DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("# ")]


def secrets(seed: int, rounds: int, name: str = "secrets") -> Iterator[AttackText]:
    """Every text with a secret of a file, filled with new values each round."""
    values = Values(seed)
    for _ in range(rounds):
        for line in read_lines(name):
            text = values.fill(line)
            yield AttackText(_MARK.sub("", text), tuple(_SECRET.findall(text)))


def finances(seed: int) -> Iterator[AttackText]:
    """Every text with a financial amount."""
    values = Values(seed)
    for line in read_lines("finances"):
        for _ in range(5):
            yield AttackText(line.replace("{x}", values.harmless("amounts")))


def attack_classes(seed: int, rounds: int) -> dict[str, list[AttackText]]:
    """The attack texts of each class, for the text of a memory."""
    claims = [AttackText(line) for line in read_lines("claims")]
    later_claims = [AttackText(line) for name in _LATER for line in read_lines(f"claims_{name}")]
    return {
        "secrets": [*secrets(seed, rounds)],
        "secrets, later sets": [text for name in _LATER for text in secrets(seed, rounds, f"secrets_{name}")],
        "instructions and claims": claims,
        "instructions and claims, later sets": later_claims,
        "financial amounts": [*finances(seed)],
    }


def unseen_classes(seed: int, name: str) -> dict[str, list[AttackText]]:
    """The attack texts of one set that nothing was tuned with, by its name."""
    classes = {
        f"secrets, {name}": [*secrets(seed, 1, f"secrets_{name}")],
        f"instructions and claims, {name}": [AttackText(line) for line in read_lines(f"claims_{name}")],
    }
    if (_DATA / f"injections_{name}.txt").exists():
        classes[f"injections, {name}"] = [AttackText(line) for line in read_lines(f"injections_{name}")]
    return classes


def harmless(seed: int) -> Iterator[tuple[str, str]]:
    """The class and the text of everything that may not be rejected."""
    values, carriers, section = Values(seed), dict[str, list[str]](), ""
    for line in read_lines("harmless"):
        if line.startswith("["):
            section = line.strip("[]")
        else:
            carriers.setdefault(section, []).append(line)
    for kind, count in _HARMLESS_COUNTS.items():
        for number in range(count):
            yield kind, carriers[kind][number % len(carriers[kind])].replace("{x}", values.harmless(kind))
    yield from (("other", text) for text in carriers["other"])
    for name in _HARMLESS_SETS:
        yield from ((name.replace("_", ", "), text) for text in read_lines(name))


def _holds(stored: Sequence[str], attack: AttackText) -> bool:
    """Whether anything secret is stored; of a text that is all attack, anything but a masked form of it."""
    if not attack.secrets:
        return any(_MASK not in held for held in stored)
    return any(part in held for part in attack.secrets for held in stored)


@cache
def locomo_messages(file: str) -> list[str]:
    """The messages of a LoCoMo file."""
    dialogs = json.loads(Path(file).read_text(encoding="utf-8"))
    sessions = (value for one in dialogs for name, value in one["conversation"].items() if isinstance(value, list))
    return [turn["text"] for session in sessions for turn in session]


Tallies = dict[tuple[str, str], Tally]


def run(attacks: dict[str, list[AttackText]], ordinary: Iterable[tuple[str, str]], locomo: str | None) -> Tallies:
    """The tallies by class and entrance."""
    tallies: Tallies = {}

    def count(kind: str, entrance: str, text: str, *, failed: bool) -> None:
        tallies.setdefault((kind, entrance), Tally()).count(text, failed=failed)

    for kind, texts in attacks.items():
        for name, entrance in _entrances(kind).items():
            for attack in texts:
                count(kind, name, attack.text, failed=_holds(entrance(attack.text), attack))
    for kind, text in ordinary:
        count(f"harmless: {kind}", "secret or instruction", text, failed=_is_rejected(text))
        count(f"harmless: {kind}", "import", text, failed=not by_import(text))
    for text in locomo_messages(locomo) if locomo else ():
        count("harmless: LoCoMo", "secret or instruction", text, failed=_is_rejected(text))
        count("harmless: LoCoMo", "import", text, failed=not by_import(text[:MAX_TEXT_LENGTH]))
    return tallies


def _entrances(kind: str) -> dict[str, Callable[[str], list[str]]]:
    """Where texts of a class may enter."""
    if kind == _NAMES:
        return NAME_ENTRANCES
    return {**ENTRANCES, "model's endpoint": by_endpoint} if kind.startswith("secrets") else ENTRANCES


def _is_rejected(text: str) -> bool:
    return bool(find_secrets(text)) or is_prompt_injection(text)


def _limit(kind: str, entrance: str) -> float:
    """The share that may fail."""
    if kind == "harmless: LoCoMo" and entrance != "import":
        return 0.003
    return 0.02 if kind.startswith("harmless") else 0.01


def main() -> int:
    """Attack and print the table; 1 where a share of failures is over its limit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=9)
    options.add_argument("--rounds", type=int, default=3, help="how often each text with a secret gets new values")
    options.add_argument("--locomo", help="a LoCoMo file, whose messages are all harmless")
    options.add_argument(
        "--unseen", help="only the set of this name (seventh, eighth, ninth, tenth): its attacks and its look-alikes"
    )
    options.add_argument("--show", action="store_true", help="print every failure")
    options.add_argument("--local-embeddings", action="store_true", help="screen with the model of the extra too")
    given = options.parse_args()
    if given.local_embeddings:
        read_with_local_model()
    if given.unseen:
        look_alikes = ((f"personal, {given.unseen}", text) for text in read_lines(f"personal_{given.unseen}"))
        tallies = run(unseen_classes(given.seed, given.unseen), look_alikes, given.locomo)
    else:
        attacks = attack_classes(given.seed, given.rounds)
        attacks[_NAMES] = [AttackText(line) for line in read_lines("labels")]
        tallies = run(attacks, harmless(given.seed), given.locomo)
    table = Table(title="attack texts")
    for heading in ("class", "entrance", "attempts", "failures", "share", "limit"):
        table.add_column(heading, justify="left" if heading in {"class", "entrance"} else "right")
    over = False
    for (kind, entrance), tally in tallies.items():
        share, limit = len(tally.failures) / tally.attempts, _limit(kind, entrance)
        over = over or share > limit
        row = (
            kind,
            entrance,
            str(tally.attempts),
            str(len(tally.failures)),
            f"{share:.1%}",
            f"{limit:.1%}",
        )
        table.add_row(*row, style="bold red" if share > limit else None)
    Console(width=110).print(table)
    if given.show:
        for (kind, entrance), tally in tallies.items():
            for text in dict.fromkeys(tally.failures):
                print(f"{kind} | {entrance} | {text}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
