"""Reads a JSON document row by row as its text arrives: our own, a plain list of rows, or one row a line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ROW_LIMIT = 256 * 1024
"""Characters one row, or one value beside the rows, may have."""
MOST_FIELDS = 200
"""Fields beside the rows that one document may have, and columns of a spreadsheet."""
MEMORIES = "memories"
HEADER = ""
"""The section of what stands beside the rows."""

_SPACE = re.compile(r"[ \t\r\n]*")
_MAY_GO_ON = re.compile(r"[-+.eE\d]*\Z")


@dataclass(frozen=True, slots=True)
class Given:
    """One row as it was given: where it stands, which row of its section it is, and the fields it names twice."""

    line: int
    row: int
    section: str
    value: Any
    twice: tuple[str, ...] = ()


class Malformed(ValueError):
    """A document that cannot be read on; `line` says from where."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def rows_of_json(chunks: Iterator[str]) -> Iterator[Given]:
    """Every row of a document, and its header as a row of the section HEADER."""
    reader = _Reader(chunks)
    first = True
    while sign := reader.peek():
        if sign == "[":
            yield from reader.rows(MEMORIES)
        elif sign != "{":
            raise Malformed(reader.line(), "expected a list or an object")
        elif first:
            yield from reader.document()
        else:
            yield reader.row(MEMORIES)
        first = False
    if first:
        raise Malformed(1, "the document is empty")


class _Reader:
    """What has arrived of a text, and how far it has been read."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks = chunks
        self._text = ""
        self._at = 0
        self._line = 1
        self._counted = 0
        self._twice: list[str] = []
        self._rows: dict[str, int] = {}
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_integer, parse_float=float, parse_constant=_no_number
        )

    def line(self) -> int:
        """The line that is read just now."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def peek(self) -> str:
        """The next character that is not white space; nothing at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def document(self) -> Iterator[Given]:
        """The rows of an object that may hold lists of rows, then the rest of it; or itself, where it is a row."""
        line = self.line()
        header: dict[str, Any] = {}
        twice: list[str] = []
        sections = 0
        self._take("{")
        closing = self.peek() == "}"
        while not closing:
            name = self._name()
            self._take(":")
            if self.peek() == "[" and self._holds_rows(name):
                sections += 1
                yield from self.rows(name)
            else:
                twice += [name] if name in header else []
                header[name] = self._value()
            if len(header) > MOST_FIELDS:
                raise Malformed(self.line(), f"more than {MOST_FIELDS} fields")
            closing = self.peek() == "}"
            if not closing:
                self._take(",")
        self._take("}")
        section = HEADER if sections else MEMORIES
        yield Given(line, self._number(section), section, header, tuple(twice))

    def rows(self, section: str) -> Iterator[Given]:
        """The elements of a list."""
        self._take("[")
        if self.peek() == "]":
            self._take("]")
            return
        while True:
            self.peek()
            yield self.row(section)
            if self.peek() == "]":
                self._take("]")
                return
            self._take(",")

    def row(self, section: str) -> Given:
        """The value that begins here."""
        line = self.line()
        self._twice = []
        value = self._value()
        return Given(line, self._number(section), section, value, tuple(self._twice))

    def _number(self, section: str) -> int:
        self._rows[section] = self._rows.get(section, 0) + 1
        return self._rows[section]

    def _name(self) -> str:
        if self.peek() != '"':
            raise Malformed(self.line(), "expected the name of a field")
        return str(self._value())

    def _take(self, sign: str) -> None:
        found = self.peek()
        if found != sign:
            raise Malformed(self.line(), f"expected {sign}" if found else "the document ends too early")
        self._at += 1

    def _holds_rows(self, name: str) -> bool:
        """Whether the list that begins here is one of rows: of objects, or the memories themselves."""
        if name == MEMORIES:
            return True
        ahead = self._at + 1
        while True:
            space = _SPACE.match(self._text, ahead)
            ahead = space.end() if space else ahead
            if ahead < len(self._text):
                return self._text[ahead] == "{"
            ahead -= self._at
            if not self._more():
                return False
            ahead += self._at

    def _value(self) -> Any:
        """The next value; one that ends where the text does so far may go on, and is read again with what follows."""
        self.peek()
        while True:
            self._twice = []
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except RecursionError:
                raise Malformed(self.line(), "nested too deeply") from None
            except ValueError as error:
                if len(self._text) - self._at > ROW_LIMIT or not self._more():
                    raise self._malformed(error) from None
                continue
            if end - self._at > ROW_LIMIT:
                raise Malformed(self.line(), f"one row has more than {ROW_LIMIT} characters")
            if not _MAY_GO_ON.match(self._text, end) or not self._more():
                self._at = end
                return value

    def _malformed(self, error: ValueError) -> Malformed:
        if not isinstance(error, json.JSONDecodeError):
            return Malformed(self.line(), "not JSON")
        cut_off = not self._text[error.pos :].strip() or error.msg.startswith("Unterminated string")
        if cut_off and len(self._text) - self._at <= ROW_LIMIT:
            return Malformed(self.line(), "the document ends too early")
        return Malformed(self.line(), error.msg[:1].lower() + error.msg[1:])

    def _more(self) -> bool:
        chunk = next(self._chunks, "")
        if not chunk:
            return False
        self.line()
        self._text = self._text[self._at :] + chunk
        self._at = self._counted = 0
        return True

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            times = Counter(name for name, _ in pairs)
            self._twice += [name for name in made if times[name] > 1]
        return made


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= 30 else float(text)


def _no_number(_: str) -> float:
    raise ValueError("NaN and Infinity are no JSON")
