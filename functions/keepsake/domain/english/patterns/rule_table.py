"""Reads the rows of tables as rules: what a row must have is what the class of the rule says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field
from typing import Any, ClassVar, Protocol, TypeVar


class HasFields(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


class HasPattern(Protocol):
    """A rule, whatever it is for."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """What it fits."""


R = TypeVar("R", bound=HasPattern)
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


def collect_rules(entries: Iterable[tuple[str, Callable[[], R]]], error: type[ValueError]) -> tuple[R, ...]:
    """The rules of some entries, each a place in a file and what reads the rule there; raises ``error``.

    A fault is refused with its place, and so is a pattern that is there twice.
    """
    rules: dict[str, R] = {}
    for place, read in entries:
        try:
            rule = read()
        except KeyError as missing:
            raise error(f"{place}: unknown or missing name {missing}") from missing
        except (ValueError, TypeError, re.error) as fault:
            raise error(f"{place}: {fault}") from fault
        if rules.setdefault(rule.pattern.pattern, rule) is not rule:
            raise error(f"{place}: another rule has the same pattern")
    return tuple(rules.values())
