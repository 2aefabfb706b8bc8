"""No regular expression of the package takes more time than its text is long: every one is read, and none believed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import keepsake
from tests.architecture.backtracking import problems
from tests.architecture.patterns import Found, every_pattern, long_patterns
from tests.architecture.possessive import misread

READING = ("commands", "english", "extraction", "merging", "reading", "todos")
"""The packages of the domain whose patterns people read and extend."""


@pytest.fixture(scope="module")
def patterns() -> list[Found]:
    """Read when a test wants them: it takes seconds, which each process of a run would spend to collect the tests."""
    return list(every_pattern())


def test_patterns__are_all_found(patterns: list[Found]) -> None:
    names = {found.name for found in patterns}
    assert len(names) > 400
    assert {
        "keepsake.domain.reading.statements.classified_statements.VAGUE_OBJECT",
        "keepsake.domain.reading.clauses.normalize_clause._TRAILING",
        "keepsake.domain.screening.secret_detection._SHAPE",
    } <= names
    assert any(re.fullmatch(r"keepsake\.domain\.entities\.entity:\d+", name) for name in names), (
        "none that is written in place"
    )
    assert any(found.name.startswith("keepsake.domain.screening.instructions._ORDERS[") for found in patterns)


def test_patterns__take_no_more_time_than_their_text_is_long(patterns: list[Found]) -> None:
    slow = {
        found.name: faults
        for found in patterns
        if (faults := problems(found.pattern, found.flags, searched=found.searched, whole=found.whole))
    }
    assert slow == {}


def test_patterns__that_read_messages_are_written_in_pieces_of_at_most_200_characters() -> None:
    """The same for what stands in code as the loaders ask of files."""
    domain = Path(keepsake.__file__).parent / "domain"
    modules = [path for name in READING for path in (domain / name).rglob("*.py")]
    assert {path: long for path in modules if (long := long_patterns(path.read_text(encoding="utf-8")))} == {}


def test_long_pattern__is_recognized_where_it_has_several_lines() -> None:
    lines = [f'r"(?:{"a|" * 60})"', f'rf"{"b" * 90}{{_WORDS}}"']
    assert [line for _, line in long_patterns("re.compile(\n" + "\n".join(lines) + ")\n_SHORT = '(?:a)'")] == [2]


def test_patterns__are_matched_alike_by_every_supported_python(patterns: list[Found]) -> None:
    """Debian 12 comes with 3.11.2."""
    assert {found.name: bodies for found in patterns if (bodies := misread(found.pattern, found.flags))} == {}


@pytest.mark.parametrize("repeated", [r"(?:ab?)*+", r"a(?:b|(?:c(?:de)++))", r"(?>(?:ab){2}+)", r"(?=x(?:ab)?+)"])
def test_possessive_repetition__of_several_characters_is_recognized(repeated: str) -> None:
    assert misread(repeated)


@pytest.mark.parametrize("repeated", [r"a*+", r"[a-c]++x", r"(?>(?:ab?)*)", r".?+"])
def test_possessive_repetition__of_one_character_passes(repeated: str) -> None:
    assert misread(repeated) == []


@pytest.mark.parametrize(
    "slow",
    [
        r"[\s,]+(?:though|too|as well)$",
        r"(?:a+)+$",
        r"(?:a|b+)*c",
        r"(?:\w+ ?)*x",
        r"\w+\d+x",
        r"^\s*\s*x",
        r"^(?:a*)(?:a*)b",
        r"^.*foo.*bar",
        r"foo.*bar",
        r"\s+$",
        r"(?=.*x)a",
        r"<[^>]*>",
        r"-{3,} ?(?:begin|end)",
        r"^.{0,5000}.{0,5000}x",
        r"(?:\w[-.])+x",
        r"(?<![a-z])[a-z0-9]+x",
        r"\b[\w ]+x",
        r"\s++x",
        r"(?>a+)b",
    ],
)
def test_slow_pattern__is_recognized(slow: str) -> None:
    assert problems(slow)


@pytest.mark.parametrize("slow", [r"(?:a+)+$", r"\w+\d+", r"\s*(?:\w*\s*)*", r"(?:a|aa|a+)*"])
def test_slow_pattern__is_recognized_where_all_of_the_text_must_match(slow: str) -> None:
    assert problems(slow, searched=False, whole=True)


@pytest.mark.parametrize(
    "fast",
    [
        r"(?<![\s,])[\s,]{1,12}(?:though|too)$",
        r"(?<![\s,])[\s,]+(?:though|too)$",
        r"[\s,]+",
        r'"[^"]*"',
        r"(?<!\s)\s++x",
        r"\b\w++x",
        r"^(?:\w+ )*x",
        r"^a++a*+b",
        r"foo.*",
        r"foo(?s:.*)\Z",
        r"[a-z]{1,8}\d",
    ],
)
def test_fast_pattern__passes(fast: str) -> None:
    assert problems(fast) == []
