"""Loads the named SQL of ``sql/``: one file a store module, one statement a query, every parameter declared by use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from keepsake.errors import MisconfiguredError

SQL_FOLDER = Path(__file__).resolve().parents[4] / "sql"
"""Where the named queries lie; they ship beside ``functions/``."""

_HEADER = re.compile(r"^-- name: (?P<name>[a-z][a-z0-9_]*)$")
_PARAMETER = re.compile(r"%\((?P<name>[a-z][a-z0-9_]*)\)s")
_STRAY = re.compile(r"%(?!\([a-z][a-z0-9_]*\)s)")
_ALMOST_A_HEADER = re.compile(r"^\s*--\s*(?:(?i:name)\s*:|name\b)")


@dataclass(frozen=True)
class Query:
    """One named statement, with the sentence that says what it is for and the parameters it takes."""

    name: str
    purpose: str
    sql: str
    parameters: frozenset[str]

    @cached_property
    def numbered(self) -> tuple[str, tuple[str, ...]]:
        """The statement with parameters by number, and their names in that order: what a raw cursor takes as it is.

        psycopg reads a statement with names at each call, unless it is short; a long one costs a quarter of a
        millisecond every time.
        """
        names = tuple(dict.fromkeys(match["name"] for match in _PARAMETER.finditer(self.sql)))
        sql = _PARAMETER.sub(lambda match: f"${names.index(match['name']) + 1}", self.sql)
        return sql.replace("%%", "%"), names


@cache
def load(stem: str, folder: Path = SQL_FOLDER) -> Mapping[str, Query]:
    """The queries of ``sql/<stem>.sql`` by name; a file that breaks the format is refused whole."""
    path = folder / f"{stem}.sql"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MisconfiguredError(f"sql/{stem}.sql cannot be read: the sql folder ships beside functions/") from error
    found: dict[str, Query] = {}
    for query in _parse(text, path.name):
        if query.name in found:
            raise MisconfiguredError(f"{path.name}: two queries are named {query.name}")
        found[query.name] = query
    return found


def _parse(text: str, file: str) -> Iterator[Query]:
    """Cut a file at its headers."""
    name: str | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if header := _HEADER.match(line):
            if name:
                yield _query(name, lines, file)
            name, lines = header["name"], []
        elif _ALMOST_A_HEADER.match(line):
            raise MisconfiguredError(f"{file}: not a header: {line}")
        elif name:
            lines.append(line)
        elif line.strip() and not line.startswith("--"):
            raise MisconfiguredError(f"{file}: a statement stands before the first name")
    if name:
        yield _query(name, lines, file)


def _query(name: str, lines: list[str], file: str) -> Query:
    """One query from the lines under its header: purpose first, then one statement."""
    start = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    purpose = " ".join(line.removeprefix("--").strip() for line in lines[:start])
    body = "\n".join(lines[start:]).strip().removesuffix(";").rstrip()
    if not purpose:
        raise MisconfiguredError(f"{file}: {name} does not say what it is for")
    if not body or ";" in body:
        raise MisconfiguredError(f"{file}: {name} must be exactly one statement")
    if _STRAY.search(body.replace("%%", "")):
        raise MisconfiguredError(f"{file}: {name} has a parameter that is not %(name)s")
    parameters = frozenset(match["name"] for match in _PARAMETER.finditer(body))
    return Query(name, purpose, body, parameters)
