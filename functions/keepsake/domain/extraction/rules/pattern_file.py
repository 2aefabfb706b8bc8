"""Patterns in TOML files: how they are laid out in lines, and how they contain fragments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_REFERENCE = re.compile(r"\{([a-z_]\w*)\}")


def read_toml(name: str, package: str = __package__) -> dict[str, Any]:
    """A TOML file of a package, by default of this one."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def join_lines(pattern: str) -> str:
    """A pattern in one line: line breaks are removed, and the blanks that begin a line.

    Where there are several lines, none may end in a blank, which nobody would see.
    """
    lines = pattern.splitlines()
    if len(lines) > 1 and any(line.endswith(" ") for line in lines):
        raise ValueError("a line ends in a blank")
    return "".join(line.lstrip() for line in lines)


def insert_fragments(pattern: str, fragments: Mapping[str, str]) -> str:
    """The pattern in one line, with the fragments that ``{name}`` stands for; raises KeyError for an unknown one."""
    return _REFERENCE.sub(lambda match: fragments[match[1]], join_lines(pattern))


def read_fragments(table: Mapping[str, str], shared: Mapping[str, str]) -> dict[str, str]:
    """The shared fragments and those of a table, each of which may contain the ones before it."""
    fragments = dict(shared)
    for name, pattern in table.items():
        if name in fragments:
            raise ValueError(f"the fragment {name} exists already")
        fragments[name] = insert_fragments(pattern, fragments)
    return fragments


@cache
def _patterns() -> dict[str, str]:
    return read_toml("data/patterns.toml")


def load_pattern(name: str, **fragments: str) -> re.Pattern[str]:
    """A pattern of ``data/patterns.toml``, which ignores case."""
    return re.compile(insert_fragments(_patterns()[name], fragments), re.IGNORECASE)
