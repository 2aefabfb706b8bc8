"""Reads and writes CSV: rows one by one as lines arrive, and cells that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from keepsake.domain.transfer.json_reader import MAX_FIELDS, MEMORIES, MalformedFile, RawRow
from keepsake.domain.transfer.row_schema import COLUMNS

_FORMULA_STARTS = frozenset("=+-−@|%")
_CELL_SEPARATORS = ("\t", "\r", "\n")
_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Zs", "Zl", "Zp"})
_SEPARATORS = (",", ";", "\t")
_TRUE = (
    "true 1 yes y wahr ja vrai oui verdadero sí si verdadeiro sim vero sì waar sant sand tosi kyllä prawda tak"
    " истина да doğru evet"
)
_FALSE = (
    "false 0 no n falsch nein faux non falso não nao onwaar nee falskt nej falsk epätosi ei fałsz nie ложь нет"
    " yanlış hayır"
)
_BOOLEANS: Mapping[str, bool] = dict.fromkeys(_TRUE.split(), True) | dict.fromkeys(_FALSE.split(), False)
"""What spreadsheets write in the language of their user."""


def line_of_csv(values: Iterable[Any]) -> str:
    """One line of an export; an apostrophe precedes a cell that a spreadsheet would take for a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([_escape(_to_cell(value)) for value in values])
    return out.getvalue()


def rows_of_csv(lines: Iterator[str]) -> Iterator[RawRow]:
    """Every row below the line of names, which must name ``memory_text``."""
    first = next(lines, "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    try:
        names = _names(next(reader, []))
        is_export = "signature" in names
        line, number = reader.line_num + 1, 0
        for cells in reader:
            if any(cells):
                number += 1
                yield RawRow(line, number, MEMORIES, _row(names, cells, is_export=is_export))
            line = reader.line_num + 1
    except csv.Error as error:
        raise MalformedFile(reader.line_num, f"not CSV: {error}") from None


def _names(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "memory_text" not in names:
        raise MalformedFile(1, "the first line must name the columns, memory_text among them")
    if len(names) > MAX_FIELDS:
        raise MalformedFile(1, f"more than {MAX_FIELDS} columns")
    if len(set(names)) < len(names):
        raise MalformedFile(1, "the first line names a column twice")
    return names


def _row(names: list[str], cells: list[str], *, is_export: bool) -> Mapping[str, Any] | None:
    """The row's values by column; None for a row that has more cells than there are columns."""
    if len(cells) > len(names):
        return None
    return {
        name: None if cell == "" else _from_cell(name, _unescape(cell, is_export=is_export))
        for name, cell in zip(names, cells, strict=False)
        if name
    }


def _to_cell(value: Any) -> str | None:
    """A value as text that ``_from_cell`` reads back; None stays None."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _from_cell(column: str, cell: str) -> Any:
    """The value of a cell by the type of its column; a cell that is no such value stays text."""
    parse = _PARSERS.get(COLUMNS.get(column, str))
    try:
        return parse(cell) if parse else cell
    except (ValueError, RecursionError):
        return cell


def _parse_texts(cell: str) -> Any:
    return json.loads(cell) if cell.lstrip().startswith("[") else [part.strip() for part in cell.split(";")]


_PARSERS: Mapping[type, Callable[[str], Any]] = {
    int: lambda cell: int(cell) if len(cell) <= 20 else cell,
    float: lambda cell: float(cell) if len(cell) <= 40 else cell,
    bool: lambda cell: _BOOLEANS.get(cell.strip().casefold(), cell),
    list: _parse_texts,
    dict: json.loads,
}


def _escape(cell: str | None) -> str:
    """Null is an empty cell; an apostrophe precedes empty text, possible formulas and apostrophes."""
    if cell is None:
        return ""
    return f"'{cell}" if cell == "" or cell.startswith("'") or _looks_like_formula(cell) else cell


def _unescape(cell: str, *, is_export: bool) -> str:
    is_escaped = cell.startswith("'") and (is_export or _looks_like_formula(cell[1:]))
    return cell[1:] if is_escaped else cell


def _looks_like_formula(cell: str) -> bool:
    """Whether the first visible character starts a formula, also in one of its other widths."""
    if cell.startswith(_CELL_SEPARATORS):
        return True
    first = next((character for character in cell if unicodedata.category(character) not in _INVISIBLE), "")
    return unicodedata.normalize("NFKC", first)[:1] in _FORMULA_STARTS
