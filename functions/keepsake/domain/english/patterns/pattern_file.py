"""Patterns in TOML files: how they are laid out and contain fragments, and how rows of tables become rules."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Protocol, TypeVar

from keepsake.domain.english.load_word_lists import check_pattern_length

_GROUP = re.compile(r"\(\?P<([a-z_]+)>")
_REFERENCE = re.compile(r"\{([a-z_]\w*)\}")

Pattern = str | Sequence[str]
"""A regular expression as a file has it: in lines, or as a list of alternatives."""


def read_toml(name: str, package: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def insert_fragments(pattern: Pattern, fragments: Mapping[str, str]) -> str:
    """The pattern in one line, with the fragments that ``{name}`` stands for; raises KeyError for an unknown one."""
    if isinstance(pattern, str):
        return _REFERENCE.sub(lambda match: fragments[match[1]], _join_lines(pattern))
    return f"(?:{'|'.join(insert_fragments(alternative, fragments) for alternative in pattern)})"


def _join_lines(pattern: str) -> str:
    """A pattern without its line breaks and the blanks that begin a line.

    Where there are several lines, none may end in a blank, which nobody would see.
    """
    lines = pattern.splitlines()
    if len(lines) > 1 and any(line.endswith(" ") for line in lines):
        raise ValueError("a line ends in a blank")
    return check_pattern_length("".join(line.lstrip() for line in lines))


def read_fragments(table: Mapping[str, Pattern], shared: Mapping[str, str]) -> dict[str, str]:
    """The shared fragments and those of a table, each of which may contain the ones before it."""
    fragments = dict(shared)
    for name, pattern in table.items():
        if name in fragments:
            raise ValueError(f"the fragment {name} exists already")
        try:
            fragments[name] = insert_fragments(pattern, fragments)
        except ValueError as error:
            raise ValueError(f"the fragment {name}: {error}") from error
    return fragments


class PatternTable:
    """A table with patterns, and the fragments that these contain: those of the table, and shared ones."""

    def __init__(self, table: Mapping[str, Any], **shared: str) -> None:
        self._table = table
        self.fragments = read_fragments(table.get("fragments", {}), shared)

    def __getitem__(self, name: str) -> Any:
        """What the table has under a name."""
        return self._table[name]

    def compile(self, pattern: Pattern, form: str = "{}") -> re.Pattern[str]:
        """A pattern with its fragments, ignoring case; ``form`` is what stands around it.

        A group that occurs again has a number after its name, so that a fragment may be inserted several times.
        """
        counts: Counter[str] = Counter()

        def number(match: re.Match[str]) -> str:
            counts[match[1]] += 1
            return match[0] if counts[match[1]] == 1 else f"(?P<{match[1]}{counts[match[1]]}>"

        inserted = form.format(insert_fragments(pattern, self.fragments))
        return re.compile(_GROUP.sub(number, inserted), re.IGNORECASE)


@cache
def _patterns() -> PatternTable:
    return PatternTable(read_toml("data/patterns.toml", __package__))


def load_pattern(name: str) -> re.Pattern[str]:
    """A pattern of ``data/patterns.toml``."""
    return _patterns().compile(_patterns()[name])


class HasFields(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


V = TypeVar("V", bound=HasFields)

_FORMS: Mapping[str, tuple[type, Callable[[Any], Any]]] = {
    "str": (str, str),
    "bool": (bool, bool),
    "int": (int, int),
    "float": (float, float),
    "tuple[str, ...]": (list, tuple),
}
"""For each type of a field, the type that a file has for it, and how the one becomes the other."""
_EXAMPLES = ("finds", "ignores", "examples", "counterexamples")
_MIN_EXAMPLES = 2


def read_row(kind: type[V], row: Mapping[str, Any], /, **read: Any) -> V:
    """The value that a row of a table describes; ``read`` are those of its fields that are read already.

    Raises ValueError for fields that are unknown, missing or of a wrong type, and for fewer than two required examples.
    """
    known = kind.__dataclass_fields__
    if unknown := row.keys() - known.keys():
        raise ValueError(f"unknown fields {sorted(unknown)}")
    required = {name for name, field in known.items() if MISSING is field.default is field.default_factory}
    if missing := required - row.keys() - read.keys():
        raise ValueError(f"missing fields {sorted(missing)}")
    forms = {name: _FORMS[str(known[name].type)] for name in row.keys() - read.keys()}
    if wrong := sorted(name for name, (form, _) in forms.items() if type(row[name]) is not form):
        raise ValueError(f"fields of a wrong type {wrong}")
    if few := [name for name in _EXAMPLES if name in required and len(set(map(str, row[name]))) < _MIN_EXAMPLES]:
        raise ValueError(f"fewer than {_MIN_EXAMPLES} examples in {few}")
    return kind(**{name: convert(row[name]) for name, (_, convert) in forms.items()}, **read)
