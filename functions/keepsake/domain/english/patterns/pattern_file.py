"""Files of patterns and rules: shared patterns, TOML files, and how rows of tables become rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field
from importlib.resources import files
from typing import Any, ClassVar, Protocol, TypeVar

from keepsake.domain.english.load_word_lists import load_alternations


def read_toml(name: str, package: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def load_pattern(name: str) -> re.Pattern[str]:
    """A pattern of ``data/patterns.txt``."""
    return re.compile(load_alternations("patterns", __package__)[name], re.IGNORECASE)


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
