"""One row of the file: its id, its entrance, what goes in, and the part of which issue it belongs to."""

from __future__ import annotations

import json
import re
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
ELSEWHERE = {
    "G/clock-back-3h": "tests/http/test_message_before_its_row.py",
    "G/disk-full": "tests/faults/test_database_away.py",
    "G/worker-without-model": "tests/local/test_model.py",
    "PB-05/silent-cut": "tests/operations/test_check_model.py",
    "PB-17/storm": "frontend_contract/client/tests/panel",
    "PB-16/python-303": "frontend_contract/python, tests/acceptance/test_client.py",
    "PB-16/": "frontend_contract/client/tests/server/retry.test.ts",
    "PB-18/python-run": "tests/acceptance/test_agent_frameworks.py",
    "PB-18/": "frontend_contract/client/tests/ai-sdk",
    "PB-19/": "frontend_contract/client/tests/ai-sdk",
    "PB-20/summaries": "tests/http/test_import_memories.py",
    "PB-24/": "tests/operations/test_declarative_schema.py",
}
"""Rows that need Node, another clock, a full disk or the Supabase CLI, by the beginning of the id: what covers them."""


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
