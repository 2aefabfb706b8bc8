"""The file formats of an import: detects the format and yields the rows."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from enum import StrEnum
from functools import partial
from typing import BinaryIO

from keepsake.domain.transfer.csv_format import rows_of_csv
from keepsake.domain.transfer.json_reader import ROW_LIMIT, MalformedFile, RawRow, rows_of_json
from keepsake.domain.transfer.other_products import name_of_binary, name_of_product

_CHUNK = 64 * 1024
_LOOK_AHEAD = 16 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class FileFormat(StrEnum):
    """The format of a file; JSON includes one object a line."""

    JSON = "json"
    CSV = "csv"


def rows_of(file: BinaryIO, file_format: FileFormat | None) -> Generator[RawRow]:
    """The rows of a file while it is read; without a format, its first character decides."""
    start = file.read(_LOOK_AHEAD)
    if (name := name_of_binary(start)) is not None:
        raise MalformedFile(1, f"the file is {name}")
    start = start.removeprefix(_BYTE_ORDER_MARK).lstrip()
    file.seek(0)
    if not start:
        raise MalformedFile(1, "the file is empty")
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    is_csv = file_format is FileFormat.CSV or (file_format is None and start[:1] not in b"{[")
    if not is_csv and (name := name_of_product(start.decode("utf-8", "replace"))) is not None:
        raise MalformedFile(1, f"the file is {name}")
    try:
        if is_csv:
            yield from rows_of_csv(_lines(text))
        else:
            yield from rows_of_json(iter(partial(text.read, _CHUNK), ""))
    except UnicodeDecodeError as error:
        raise MalformedFile(1, f"not UTF-8, at byte {error.start} of what was read last") from None
    finally:
        text.detach()


def _lines(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a CSV file, each within the row limit."""
    number = 0
    while line := text.readline(ROW_LIMIT):
        number += 1
        if len(line) == ROW_LIMIT and not line.endswith("\n"):
            raise MalformedFile(number, f"one line has more than {ROW_LIMIT} characters")
        yield line
