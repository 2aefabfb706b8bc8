"""Modules and functions stay small enough to be read at one go, and each module says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.source import LONGEST_FUNCTION, LONGEST_MODULE, ROOT, functions_of, length, modules

EVERYTHING = modules("functions", "tests", "bench")


def faults(path: Path, text: str) -> list[str]:
    """What in one module is too long, or unsaid."""
    tree = ast.parse(text)
    found = [
        f"{path}:{function.lineno} {function.name} has {length(function)} lines"
        for function in functions_of(tree)
        if length(function) > LONGEST_FUNCTION
    ]
    if (lines := text.count("\n")) > LONGEST_MODULE:
        found.append(f"{path} has {lines} lines")
    sentence = (ast.get_docstring(tree) or "").split("\n\n")[0].strip()
    if text.strip() and not sentence.endswith((".", "?", ":")):
        found.append(f"{path} does not open with a sentence that says what it is")
    return found


def test_modules__are_small_and_say_what_they_are() -> None:
    """No module over 300 lines, no function over 50, a first sentence in each."""
    found = [fault for path in EVERYTHING for fault in faults(path.relative_to(ROOT), path.read_text())]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text, fault",
    [
        ('"""A sentence."""\n' + "x = 1\n" * 300, "has 301 lines"),
        ('"""A sentence."""\ndef f():\n' + "    x = 1\n" * 50, "f has 51 lines"),
        ("x = 1\n", "does not open with a sentence"),
        ('"""no sentence"""\n', "does not open with a sentence"),
    ],
)
def test_modules__a_planted_fault_is_found(text: str, fault: str) -> None:
    """The check above can fail."""
    assert any(fault in found for found in faults(Path("planted.py"), text))
