"""Reads a spreadsheet row by row as its lines arrive, and writes one whose cells no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keepsake.domain.transfer.json_reader import MEMORIES, MOST_FIELDS, Given, Malformed
from keepsake.domain.transfer.row_schema import from_cell, to_cell

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
"""What a spreadsheet may take a formula to begin with."""
_SEPARATORS = (",", ";", "\t")


def line_of_csv(values: Iterable[Any]) -> str:
    """One line of our own; an apostrophe before what would be a formula, and before what begins with one anyway."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([_guarded(to_cell(value)) for value in values])
    return out.getvalue()


def rows_of_csv(lines: Iterator[str]) -> Iterator[Given]:
    """Every row below the line of names, which must name ``memory_text``."""
    first = next(lines, "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(_with_first(first, lines), delimiter=separator, strict=True)
    try:
        names = _names(next(reader, []))
        ours = "signature" in names
        line = reader.line_num + 1
        number = 0
        for cells in reader:
            if any(cells):
                number += 1
                yield Given(line, number, MEMORIES, _row(names, cells, ours=ours))
            line = reader.line_num + 1
    except csv.Error as error:
        raise Malformed(reader.line_num, f"not CSV: {error}") from None


def _with_first(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _names(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "memory_text" not in names:
        raise Malformed(1, "the first line must name the columns, memory_text among them")
    if len(names) > MOST_FIELDS:
        raise Malformed(1, f"more than {MOST_FIELDS} columns")
    if len(set(names)) < len(names):
        raise Malformed(1, "the first line names a column twice")
    return names


def _row(names: list[str], cells: list[str], *, ours: bool) -> Mapping[str, Any] | None:
    """The row's values by column; None for one that has more cells than there are columns."""
    if len(cells) > len(names):
        return None
    return {
        name: None if cell == "" else from_cell(name, _unguarded(cell, ours=ours))
        for name, cell in zip(names, cells, strict=False)
        if name
    }


def _guarded(cell: str | None) -> str:
    """Nothing is an empty cell; text that is empty, dangerous or begins with an apostrophe gets one in front."""
    if cell is None:
        return ""
    return f"'{cell}" if cell == "" or cell.startswith(("'", *_DANGEROUS)) else cell


def _unguarded(cell: str, *, ours: bool) -> str:
    if not cell.startswith("'"):
        return cell
    return cell[1:] if ours or cell[1:].startswith(_DANGEROUS) else cell
