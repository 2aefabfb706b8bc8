"""Reads the rows of a JSON document from a stream: an export, a list of rows, or one row a line.

The document may have tens of megabytes and any layout, so no more than a window of the text is in memory. The window
always contains the next ROW_LIMIT characters, hence one whole row.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ROW_LIMIT = 256 * 1024
"""The maximum number of characters of one row, or of one value beside the rows."""
MAX_FIELDS = 200
"""The maximum number of fields beside the rows, and of columns of a CSV file."""
MAX_DEPTH = 100
"""The maximum number of lists and objects inside one another in one value."""
MEMORIES = "memories"
HEADER = ""
"""The section of the values beside the rows."""
SCHEMA_VERSION = "schema_version"
"""The value beside the rows that says which releases can read them; it comes before all others."""

_SPACE = re.compile(r"[ \t\r\n]*")
_LIST_OF_OBJECTS = re.compile(r"\[[ \t\r\n]*\{")


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as the file has it: its line, its number in its section, and the names of fields that it repeats."""

    line: int
    row: int
    section: str
    value: Any
    repeated: tuple[str, ...] = ()


class MalformedFile(ValueError):
    """A file that cannot be parsed; the text names the line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def rows_of_json(chunks: Iterator[str]) -> Iterator[RawRow]:
    """Every row of a document, and its header as a row of the section HEADER."""
    reader = _Reader(chunks)
    first = True
    while sign := reader.peek():
        if sign == "[":
            yield from reader.rows(MEMORIES)
        elif sign != "{":
            raise reader.error("expected a list or an object")
        elif first:
            yield from reader.document()
        else:
            yield reader.row(MEMORIES)
        first = False
    if first:
        raise MalformedFile(1, "the document is empty")


class _Reader:
    """A parser over a window of the text."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks = chunks
        self._text = ""
        self._at = 0
        self._line, self._counted = 1, 0
        self._has_ended = False
        self._repeated: list[str] = []
        self._rows: Counter[str] = Counter()
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_integer, parse_float=float, parse_constant=_reject_constant
        )

    def peek(self) -> str:
        """The next character that is not white space, empty at the end; then the window has a whole row."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._at = space.end()
            if self._has_ended or len(self._text) - self._at > ROW_LIMIT:
                return self._text[self._at : self._at + 1]
            self._read_more()

    def document(self) -> Iterator[RawRow]:
        """The rows of the lists in an object, then its other fields; an object without lists is itself a row."""
        line = self._current_line()
        header: dict[str, Any] = {}
        repeated: list[str] = []
        has_sections = False
        for _ in self._items("{", "}"):
            name = self._name()
            self._take(":")
            if self.peek() == "[" and (name == MEMORIES or _LIST_OF_OBJECTS.match(self._text, self._at)):
                has_sections = True
                yield from self.rows(name)
                continue
            repeated += [name] if name in header else []
            header[name] = self._value()
            if name == SCHEMA_VERSION:  # before the rows: a file of a later version is not read any further
                yield RawRow(line, 1, HEADER, {name: header[name]})
            if len(header) > MAX_FIELDS:
                raise self.error(f"more than {MAX_FIELDS} fields")
        yield self._numbered(line, HEADER if has_sections else MEMORIES, header, repeated)

    def rows(self, section: str) -> Iterator[RawRow]:
        """The elements of a list."""
        for _ in self._items("[", "]"):
            yield self.row(section)

    def row(self, section: str) -> RawRow:
        """The next value as a row."""
        line = self._current_line()
        value = self._value()
        return self._numbered(line, section, value, self._repeated)

    def error(self, message: str) -> MalformedFile:
        """An error at the current line."""
        return MalformedFile(self._current_line(), message)

    def _items(self, opening: str, closing: str) -> Iterator[None]:
        """Stops before each item of a list or an object; the caller reads the item."""
        self._take(opening)
        is_first = True
        while self.peek() != closing:
            if not is_first:
                self._take(",")
                self.peek()
            is_first = False
            yield
        self._take(closing)

    def _numbered(self, line: int, section: str, value: Any, repeated: list[str]) -> RawRow:
        self._rows[section] += 1
        return RawRow(line, self._rows[section], section, value, tuple(repeated))

    def _name(self) -> str:
        if self.peek() != '"':
            raise self.error("expected the name of a field")
        return str(self._value())

    def _take(self, sign: str) -> None:
        found = self.peek()
        if found != sign:
            raise self.error(f"expected {sign}" if found else "the document ends too early")
        self._at += 1

    def _value(self) -> Any:
        self.peek()
        self._repeated = []
        try:
            value, end = self._decoder.raw_decode(self._text, self._at)
        except RecursionError:
            raise self.error(_TOO_DEEP) from None
        except json.JSONDecodeError as error:
            raise self.error(self._reason(error)) from None
        except ValueError:
            raise self.error("not JSON") from None
        if end - self._at > ROW_LIMIT:
            raise self.error(_TOO_LONG)
        if _is_deeper(value, MAX_DEPTH):
            raise self.error(_TOO_DEEP)
        self._at = end
        return value

    def _reason(self, error: json.JSONDecodeError) -> str:
        if self._text[error.pos :].strip() and not error.msg.startswith("Unterminated string"):
            return error.msg[:1].lower() + error.msg[1:]
        return "the document ends too early" if self._has_ended else _TOO_LONG

    def _current_line(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _read_more(self) -> None:
        """Move the window: drop the text before the position, and read twice what a row may have."""
        self._current_line()
        parts = [self._text[self._at :]]
        missing = 2 * ROW_LIMIT - len(parts[0])
        while missing > 0 and not self._has_ended:
            chunk = next(self._chunks, "")
            self._has_ended = not chunk
            missing -= len(chunk)
            parts.append(chunk)
        self._text, self._at, self._counted = "".join(parts), 0, 0

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            times = Counter(name for name, _ in pairs)
            self._repeated += [name for name in made if times[name] > 1]
        return made


_TOO_LONG = f"one row has more than {ROW_LIMIT} characters"
_TOO_DEEP = "nested too deeply"
_MAX_DIGITS = 1_000
"""An integer of more characters is read as a float: the time to read one grows with the square of its digits."""


def _is_deeper(value: Any, depth: int) -> bool:
    """Whether a value nests deeper: the parser's own limit is another one in each version of Python."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_is_deeper(item, depth - 1) for item in inner)


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _MAX_DIGITS else float(text)


def _reject_constant(_: str) -> float:
    raise ValueError("NaN and Infinity are not JSON")
