"""What the data says a memory must be: claims, and the lines of the four sets as values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keepsake.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Claim:
    """One memory as the data describes it: words its text has or has not, and the types that would do."""

    mentions: tuple[str, ...]
    types: frozenset[str]

    def holds_for(self, memory: Memory) -> bool:
        """Whether the memory's text says this; the type is judged apart."""
        text = memory.text.lower().replace("’", "'")
        return all(_holds(mention, text) for mention in self.mentions)

    def types_fit(self, memory: Memory) -> bool:
        """Whether the memory has one of the types that would do."""
        return not self.types or memory.type.value in self.types

    def __str__(self) -> str:
        return " + ".join(mention for mention in self.mentions if not mention.startswith("!"))


def _holds(mention: str, text: str) -> bool:
    """``a|b`` asks for one of the words, ``!a|b`` for none of them."""
    wanted = not mention.startswith("!")
    return any(_stands_in(word, text) for word in mention.removeprefix("!").split("|")) == wanted


def _stands_in(word: str, text: str) -> bool:
    """Whether a word of the text begins so; a number must be the whole number."""
    before = r"(?<!\w)" if word[0].isalnum() and word != "n't" else ""
    after = r"(?!\d)" if word[-1].isdigit() else ""
    return re.search(before + re.escape(word) + after, text) is not None


def claims(rows: Sequence[dict[str, Any]]) -> tuple[Claim, ...]:
    """The claims of a line of data."""
    return tuple(Claim(tuple(row["mentions"]), _types(row)) for row in rows)


def _types(row: dict[str, Any]) -> frozenset[str]:
    return frozenset(row["type"].split("|")) if "type" in row else frozenset()


def lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The lines of one set."""
    for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)
