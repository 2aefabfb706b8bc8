"""A row of the inputs that were once got wrong names the test that covers it where the runner does not run it."""

from __future__ import annotations

import pytest

from bench.failing_inputs.rows import ELSEWHERE
from tests.architecture.source import ROOT


@pytest.mark.parametrize("row", ELSEWHERE)
def test_row_that_is_not_run__names_a_test_that_exists(row: str) -> None:
    file, mark, test = ELSEWHERE[row].partition("::" if "::" in ELSEWHERE[row] else ": ")
    source = (ROOT / file).read_text(encoding="utf-8")
    assert mark
    assert (f"def {test}(" if mark == "::" else f'"{test}"') in source
