"""Which kind of file an import is, and its rows; what is not UTF-8 is refused with the place."""

from __future__ import annotations

import io
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import BinaryIO

from keepsake.domain.transfer.csv_format import rows_of_csv
from keepsake.domain.transfer.json_reader import ROW_LIMIT, Given, Malformed, rows_of_json

_CHUNK = 64 * 1024
_LOOK_AHEAD = 4096
_MARK = b"\xef\xbb\xbf"


class Form(StrEnum):
    """How a file is written; JSON covers one object a line as well."""

    JSON = "json"
    CSV = "csv"


def rows_of(file: BinaryIO, form: Form | None) -> Iterator[Given]:
    """The rows of a file as they are read; its form shows where nobody says it."""
    start = file.read(_LOOK_AHEAD).removeprefix(_MARK).lstrip()
    file.seek(0)
    if not start:
        raise Malformed(1, "the file is empty")
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        if form is Form.CSV or (form is None and start[:1] not in b"{["):
            yield from rows_of_csv(_lines(text))
        else:
            yield from rows_of_json(iter(partial(text.read, _CHUNK), ""))
    except UnicodeDecodeError as error:
        raise Malformed(1, f"not UTF-8, at byte {error.start} of what was read last") from None
    finally:
        text.detach()


def _lines(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a spreadsheet, none of them without end."""
    number = 0
    while line := text.readline(ROW_LIMIT):
        number += 1
        if len(line) == ROW_LIMIT and not line.endswith("\n"):
            raise Malformed(number, f"one line has more than {ROW_LIMIT} characters")
        yield line
