"""Attacks the screening with secrets, claims of authority and amounts at each entrance, and counts false rejections.

Everything runs in process, with the functions that each entrance calls. A text counts as stored where a memory holds
any part of what is marked as secret, or of a text that is all attack anything at all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from bench.attack.in_process import ENTRANCES, NAME_ENTRANCES, by_endpoint, by_import, read_with_local_model
from bench.attack.text_sets import AttackText, attack_classes, harmless, locomo_messages, read_lines, unseen_set
from keepsake.domain.memory import MAX_TEXT_LENGTH
from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.screening.secret_detection import find_secrets

_MASK = "[hidden]"
_NAMES = "foreign names"


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


def _holds(stored: Sequence[str], attack: AttackText) -> bool:
    """Whether anything secret is stored; of a text that is all attack, anything but a masked form of it."""
    if not attack.secrets:
        return any(_MASK not in held for held in stored)
    return any(part in held for part in attack.secrets for held in stored)


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
        "--unseen",
        help="only a set of this name (seventh to eleventh), or a .jsonl file: its attacks and its look-alikes",
    )
    options.add_argument("--show", action="store_true", help="print every failure")
    options.add_argument("--local-embeddings", action="store_true", help="screen with the model of the extra too")
    given = options.parse_args()
    if given.local_embeddings:
        read_with_local_model()
    if given.unseen:
        unseen = unseen_set(given.seed, given.unseen)
        tallies = run(unseen.attacks, (("look-alikes", text) for text in unseen.look_alikes), given.locomo)
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
