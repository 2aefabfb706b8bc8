"""The loader of named SQL refuses a file that breaks the format, instead of losing a query without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import MisconfiguredError
from keepsake.infra.database import queries

GOOD = "-- A file.\n\n-- name: one\n-- Says one.\nselect %(a)s + %(b)s\n\n-- name: two\n-- Says\n-- two.\nselect 2;\n"


def load(folder: Path, text: str) -> object:
    """Load a file with this text."""
    (folder / "asked.sql").write_text(text, encoding="utf-8")
    return queries.load("asked", folder)


def test_a_file__is_cut_at_its_headers(tmp_path: Path) -> None:
    load(tmp_path, GOOD)
    found = queries.load("asked", tmp_path)
    assert set(found) == {"one", "two"}
    assert (found["one"].sql, found["one"].purpose) == ("select %(a)s + %(b)s", "Says one.")
    assert found["one"].parameters == {"a", "b"}
    assert (found["two"].sql, found["two"].purpose) == ("select 2", "Says two.")


@pytest.mark.parametrize(
    "text, said",
    [
        (GOOD.replace("two\n-- Says\n", "one\n-- Says\n"), "two queries are named one"),
        (GOOD.replace("-- name: two", "-- name two"), "not a header"),
        (GOOD.replace("-- name: two", "-- name: Two"), "not a header"),
        (GOOD.replace("-- name: two", "--Name: two"), "not a header"),
        (GOOD.replace("-- Says one.\n", ""), "what it is for"),
        (GOOD.replace("select 2;", "select 2; select 3"), "exactly one statement"),
        (GOOD.replace("select 2;", ""), "exactly one statement"),
        (GOOD.replace("%(b)s", "%s"), "not %(name)s"),
        (GOOD.replace("%(b)s", "%(B)s"), "not %(name)s"),
        ("select 1\n" + GOOD, "before the first name"),
    ],
)
def test_a_broken_file__is_refused_whole(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(MisconfiguredError) as refusal:
        load(tmp_path, text)
    assert said in refusal.value.message


def test_a_percent_sign__is_doubled(tmp_path: Path) -> None:
    load(tmp_path, GOOD.replace("select 2", "select 'a' like 'a%%'"))
    assert queries.load("asked", tmp_path)["two"].sql == "select 'a' like 'a%%'"


def test_a_missing_file__is_named(tmp_path: Path) -> None:
    with pytest.raises(MisconfiguredError, match=r"sql/absent\.sql"):
        queries.load("absent", tmp_path)
