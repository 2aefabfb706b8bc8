"""One row of the file: its id, its entrance, what goes in, and the part of which issue it belongs to."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PARTS = (
    (r"G/(clock-back|host-clock|worker)", "faults 5"),
    (r"G/(disk|memory-operations)", "faults 12"),
    (r"G/false-doubt", "faults 7"),
    (r"PB-0[123]/", "any model 1"),
    (r"PB-04/", "any model 5"),
    (r"PB-05/silent-cut", "any model 2"),
    (r"PB-05/", "faults 3"),
    (r"PB-07/model-(es|fr)-", "faults 1"),
    (r"PB-07/model-", "a capable model 1"),
    (r"PB-0[789]/", "faults 7"),
    (r"PB-11/", "faults 8"),
    (r"PB-14/emoji", "faults 7"),
    (r"PB-1[34]/", "faults 1"),
    (r"PB-1[689]/", "faults 4"),
    (r"PB-17/", "faults 9"),
    (r"PB-20/", "faults 2"),
    (r"PB-21/", "clients 6"),
    (r"PB-24/", "schema 1"),
)
ELSEWHERE: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("named_tests.toml").read_text(encoding="utf-8"))
"""The tests of the rows that are not run here, by the beginning of a row's id."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file."""

    id: str
    entrance: str
    input: Mapping[str, Any]
    right: str

    @property
    def part(self) -> str:
        """The issue, and its part."""
        return next((part for pattern, part in _PARTS if re.match(pattern, self.id)), "?")

    @property
    def elsewhere(self) -> str | None:
        """What covers the row where it is not run here."""
        return next((where for begin, where in ELSEWHERE.items() if self.id.startswith(begin)), None)

    @property
    def is_for_a_model(self) -> bool:
        """Whether the row is about a reply of a model."""
        return self.id.startswith(("PB-01/", "PB-02/", "PB-03/", "PB-07/model-", "PB-04/")) or (
            self.id.startswith("PB-13/") and self.entrance.startswith("extract-user-memory, stub")
        )


def read_rows(file: Path) -> Sequence[Row]:
    """The rows of the file."""
    lines = file.read_text(encoding="utf-8").strip("\n").split("\n")  # a row may hold other signs that end a line
    return [Row(row["id"], row["entrance"], row["input"], row["right"]) for row in map(json.loads, lines)]
