"""The contract over rows in eleven languages: true ones are stored, false ones are not, of every model that is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.extraction.believe import judge
from bench.extraction.without_english import FILES, english_closed, replay
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


def test_conversations_in_six_languages__need_no_reader_of_english() -> None:
    rows = [json.loads(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]
    as_it_is = replay(rows)
    with english_closed():
        assert replay(rows) == as_it_is
    lines = [line for found in as_it_is.values() for line in found]
    assert sum("preference answer_length" in line for line in lines) == 6
    assert not [line for line in lines if line.startswith("drop")]
    assert {place for line in lines for place in ("福岡", "पुणे") if f"place:{place}" in line} == {"福岡", "पुणे"}
