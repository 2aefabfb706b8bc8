"""The sets of attack texts, and the harmless texts that look like them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.attack.values import Values

_DATA = Path(__file__).parents[1] / "data" / "attack_texts"
_MARK = re.compile(r"\[\[|\]\]")
_LATER = ("second", "third", "fifth", "sixth", "roundabout")
_SECRET = re.compile(r"\[\[([^\[\]]+)\]\]")
_JSON_LINES = ".jsonl"
_HARMLESS_KIND = "harmless"
_CLASSES_BY_KIND = {
    "secret": "secrets",
    "claim": "instructions and claims",
    "hidden_claim": "claims behind ordinary words",
}
_ORDINARY_WORDS = "My brother and I went to the lake and "
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


def read_lines(name: str) -> list[str]:
    """The lines of a data file without comments."""
    lines = (_DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("# ")]


def marked_claims(name: str) -> list[str]:
    """The texts of a file with claims; where ordinary facts stand beside a claim, the claim alone too."""
    lines = read_lines(name)
    return [*(_MARK.sub("", line) for line in lines), *(part for line in lines for part in _SECRET.findall(line))]


def ordinary_beside_claims(name: str) -> list[str]:
    """What stands beside the claims of a file, for each text that has marked claims."""
    return [_SECRET.sub("", line) for line in read_lines(name) if _SECRET.search(line)]


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


@dataclass(frozen=True, slots=True)
class UnseenSet:
    """A set that nothing was tuned with: its attacks by class, and its look-alikes."""

    attacks: dict[str, list[AttackText]]
    look_alikes: list[str]


def unseen_set(seed: int, name: str) -> UnseenSet:
    """The set of this name, or of a file with one text a line as JSON, each with its kind."""
    path = Path(name) if name.endswith(_JSON_LINES) else _DATA / f"{name}{_JSON_LINES}"
    if path.exists():
        return _read_json_lines(path)
    claims = read_lines(f"claims_{name}")
    classes = {
        f"secrets, {name}": [*secrets(seed, 1, f"secrets_{name}")],
        f"instructions and claims, {name}": [AttackText(line) for line in claims],
        f"claims behind ordinary words, {name}": [AttackText(_ORDINARY_WORDS + line) for line in claims],
    }
    if (_DATA / f"injections_{name}.txt").exists():
        classes[f"injections, {name}"] = [AttackText(line) for line in read_lines(f"injections_{name}")]
    return UnseenSet(classes, read_lines(f"personal_{name}"))


def _read_json_lines(path: Path) -> UnseenSet:
    by_kind: dict[str, list[str]] = {kind: [] for kind in (*_CLASSES_BY_KIND, _HARMLESS_KIND)}
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        by_kind[one["kind"]].append(one["text"])
    classes = {f"{heading}, {path.stem}": by_kind[kind] for kind, heading in _CLASSES_BY_KIND.items()}
    attacks = {heading: [AttackText(text) for text in texts] for heading, texts in classes.items() if texts}
    return UnseenSet(attacks, by_kind[_HARMLESS_KIND])


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


@cache
def locomo_messages(file: str) -> list[str]:
    """The messages of a LoCoMo file."""
    dialogs = json.loads(Path(file).read_text(encoding="utf-8"))
    sessions = (value for one in dialogs for name, value in one["conversation"].items() if isinstance(value, list))
    return [turn["text"] for session in sessions for turn in session]
