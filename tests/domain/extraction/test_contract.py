"""The contract over rows in eleven languages: true ones are stored, false ones are not, of every model that is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.extraction.believe import judge
from keepsake.domain.extraction.verdict import Verdict

ROWS = Path(__file__).parents[3] / "bench" / "data" / "believe" / "languages.jsonl"
KNOWN_TO_PASS = {"tr-4"}
"""False rows that code cannot tell: the words of a Turkish negation share no beginning with those of its opposite."""


@pytest.mark.parametrize("verdict", [Verdict.GOOD, Verdict.USABLE])
def test_rows_in_eleven_languages__are_judged_rightly(verdict: Verdict) -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    judged = {row["id"]: judge(row, verdict) for row in rows}
    assert len(judged) == len(rows)
    assert {name for name, one in judged.items() if not one.is_right} == KNOWN_TO_PASS
