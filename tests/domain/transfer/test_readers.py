"""Files of memories are read row by row, however they arrive, and what cannot be read is refused with its line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.transfer.csv_format import line_of_csv, rows_of_csv
from keepsake.domain.transfer.json_reader import HEADER, MEMORIES, ROW_LIMIT, MalformedFile, RawRow, rows_of_json
from keepsake.domain.transfer.row_schema import COLUMNS
from tests.support.effort import count_calls

ROWS = [{"memory_text": "Likes ramen"}, {"memory_text": 'Says "hi", {or} [so]\\', "entity_refs": ["a", "b"]}, {}]


def pieces(text: str, size: int) -> Iterator[str]:
    """The text in chunks of so many characters."""
    return (text[start : start + size] for start in range(0, len(text), size))


def read(text: str, size: int = 7) -> list[RawRow]:
    return list(rows_of_json(pieces(text, size)))


@pytest.mark.parametrize("size", [1, 2, 3, 16, 10_000])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        json.dumps({"memories": ROWS}),
        json.dumps({"schema_version": 1, "deep": {"memories": [1]}, "none": [], "memories": ROWS, "n": -1.5}, indent=1),
        "\n".join(json.dumps(row) for row in ROWS),
    ],
    ids=["list", "list over lines", "document", "document with more", "one a line"],
)
def test_json__gives_the_same_rows_however_it_is_cut(text: str, size: int) -> None:
    rows = [one for one in read(text, size) if one.section == MEMORIES]
    assert [one.value for one in rows] == ROWS
    assert [one.row for one in rows] == [1, 2, 3]


def test_json__reads_an_integer_of_any_length_that_an_export_writes() -> None:
    rows = [{"astrological_context": {"0": -(10**29)}}, {"astrological_context": {"0": 10**300 + 1}}]
    assert [one.value for one in read(json.dumps(rows))] == rows


def test_json__says_line_section_and_what_is_named_twice() -> None:
    text = '{"schema_version": 1,\n"places": [{"id": 1}],\n"memories": [\n{"a": 1,\n"a": 2}, {}]}'
    assert [(one.line, one.section, one.repeated) for one in read(text)] == [
        (1, HEADER, ()),
        (2, "places", ()),
        (4, MEMORIES, ("a",)),
        (5, MEMORIES, ()),
        (1, HEADER, ()),
    ]


def test_json__a_large_document_is_never_held_whole() -> None:
    """While megabytes go by, no more is read ahead than the window may hold."""
    read_characters = 0

    def chunks() -> Iterator[str]:
        nonlocal read_characters
        for number in range(10_000):
            chunk = f'{"," if number else "["}{{"memory_text": "{number:0500}"}}'
            read_characters += len(chunk)
            yield chunk
        yield "]"

    passed = 0
    for row in rows_of_json(chunks()):
        passed += len(json.dumps(row.value)) + 1
        assert read_characters - passed <= 2 * ROW_LIMIT + 1000
    assert passed > 10 * ROW_LIMIT


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "line 1: the document is empty"),
        ("  \n ", "line 1: the document is empty"),
        ('[{"a": 1},\n{"a": ', "line 2: the document ends too early"),
        ('[{"a": "x', "line 1: the document ends too early"),
        ('[{"a": 1}\n', "line 2: the document ends too early"),
        ('{"memories": [{"a": 1}]', "line 1: the document ends too early"),
        ("[1, nope]", "line 1: expecting value"),
        ('[{"a": NaN}]', "line 1: not JSON"),
        ('\n\n"text"', "line 3: expected a list or an object"),
        ("[" * 102 + "]" * 102, "line 1: nested too deeply"),
        ('{"a": ' * 102 + "1" + "}" * 102, "line 1: nested too deeply"),
        ("[" * 50_000 + "]" * 50_000, "line 1: nested too deeply"),
        ('[{"a": "' + "x" * (ROW_LIMIT + 10) + '"}]', f"line 1: one row has more than {ROW_LIMIT} characters"),
        ('{"a" 1}', "line 1: expected :"),
        ("{" + ",".join(f'"f{number}": 1' for number in range(300)) + "}", "line 1: more than 200 fields"),
    ],
)
def test_json__that_cannot_be_read_names_the_line(text: str, message: str) -> None:
    with pytest.raises(MalformedFile, match="line") as refused:
        read(text, 64 * 1024)
    assert str(refused.value) == message


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e999", "9" * 1001])
def test_json__huge_numbers_are_numbers_and_nothing_else_breaks(number: str) -> None:
    (row,) = read(f'[{{"importance": {number}}}]', 1000)
    assert isinstance(row.value["importance"], float)


def test_csv__reads_cells_by_their_column() -> None:
    text = 'memory_text,importance,pinned,entity_refs,x\r\n"Two\nlines",2,TRUE,person:ann;place:graz,y\r\n\r\nb,,,,\r\n'
    first, second = rows_of_csv(iter(text.splitlines(keepends=True)))
    refs = ["person:ann", "place:graz"]
    assert first.value == {
        "memory_text": "Two\nlines", "importance": 2, "pinned": True, "entity_refs": refs, "x": "y"
    }  # fmt: skip
    assert (first.line, first.row) == (2, 1)
    assert (second.line, second.row, second.value["importance"]) == (5, 2, None)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_csv__other_separators_are_seen(separator: str) -> None:
    (row,) = rows_of_csv(iter([f"memory_text{separator}importance\n", f"a, b{separator}3\n"]))
    assert row.value == {"memory_text": "a, b", "importance": 3}


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "the first line must name the columns"),
        ("text,importance\na,1\n", "the first line must name the columns"),
        ("memory_text,memory_text\na,b\n", "names a column twice"),
        ('memory_text\n"open\n', "not CSV"),
        ('memory_text\n"a"b\n', "not CSV"),
        ("memory_text\n" + "x" * 200_000, "not CSV"),
    ],
)
def test_csv__that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(MalformedFile, match=message):
        list(rows_of_csv(iter(text.splitlines(keepends=True))))


def test_csv__a_row_with_too_many_cells_is_no_row() -> None:
    assert [one.value for one in rows_of_csv(iter(["memory_text\n", "a,b\n"]))] == [None]


HIDDEN = [
    before + sign + "1+1"
    for before in (
        "",
        "\u200b",
        "\ufeff",
        "\u2060\u00ad",
        "\u00a0",
        " ",
        "\u3000",
        "\u202e",
        "\ufe0f",
        "\x00",
        "\u180e",
    )
    for sign in ("=", "＝", "﹦", "⁼", "+", "﹢", "－", "﹣", "−", "@", "﹫", "％", "｜")
]
"""Formulas behind what nobody sees, and signs that a spreadsheet takes for the plain ones."""


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "|x", "%0A", "＝1", "'=1", "'", "", *HIDDEN]
)
def test_cells__are_no_formulas_and_come_back_as_they_were(text: str) -> None:
    names = ["memory_text", "signature"]
    line = line_of_csv([text, "s"])
    (shown,) = csv.reader([line])
    assert shown[0].startswith("'")
    (row,) = rows_of_csv(iter(io.StringIO(line_of_csv(names) + line, newline="")))
    assert row.value["memory_text"] == text


def test_cells__of_others_keep_their_apostrophes() -> None:
    rows = rows_of_csv(iter(["memory_text\n", "'Tis the season\n", "'=1+1\n"]))
    assert [row.value["memory_text"] for row in rows] == ["'Tis the season", "=1+1"]


VALUES: dict[type, st.SearchStrategy[object]] = {
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    UUID: st.uuids().map(str),
    datetime: st.just("2026-11-21T12:00:00.000001+00:00"),
    int: st.integers(-(10**18), 10**18),
    float: st.floats(0, 1),
    bool: st.booleans(),
    list: st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=3),
    dict: st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), st.integers()),
}


@given(st.fixed_dictionaries({name: st.none() | VALUES[kind] for name, kind in COLUMNS.items()}))
def test_csv__gives_back_every_value_of_every_column(row: dict[str, object]) -> None:
    text = line_of_csv([*COLUMNS, "signature"]) + line_of_csv([*(row[name] for name in COLUMNS), "s"])
    if all(value is None for value in row.values()):
        return
    (read_back,) = rows_of_csv(iter(io.StringIO(text, newline="")))
    assert read_back.value == {**row, "signature": "s"}


def test_a_row_of_many_fields__takes_no_longer_for_one_of_them_given_twice() -> None:
    """A row may have tens of thousands of fields; whoever compares each with each lets everybody else wait."""
    fields = ",".join(f'"{number}":0' for number in range(20_000))
    once = count_calls(lambda: list(rows_of_json(iter([f"[{{{fields}}}]"]))))
    rows: list[RawRow] = []
    twice = count_calls(lambda: rows.extend(rows_of_json(iter([f'[{{{fields},"7":1}}]']))))
    assert rows[0].repeated == ("7",)
    assert twice < 1.5 * once
