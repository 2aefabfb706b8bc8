"""Tests measure no time: what must be fast is measured by ``bench/``, on a machine with nothing else to do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, modules

CLOCKS = {"perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "thread_time", "thread_time_ns"}
"""The clocks of measurements; ``monotonic`` is for waiting until something has happened."""


def measured(source: str) -> list[str]:
    """The clocks of measurements that a module uses."""
    used = [node.attr if isinstance(node, ast.Attribute) else node.id
            for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute | ast.Name)]  # fmt: skip
    return sorted(CLOCKS.intersection(used))


@pytest.mark.parametrize("path", modules("tests"), ids=lambda path: str(path.relative_to(ROOT)))
def test_tests__measure_no_time(path: Path) -> None:
    assert measured(path.read_text(encoding="utf-8")) == []


def test_a_timed_test__is_found() -> None:
    assert measured("import time\nstart = time.perf_counter()\nprint(process_time() - start)") == [
        "perf_counter",
        "process_time",
    ]
