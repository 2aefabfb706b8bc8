"""Every regular expression of the package: those that modules hold, and those written where they are used."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import keepsake

MAX_PATTERN_LENGTH = 200
"""Characters of a pattern as it is written: what is longer, nobody can read."""
_DEEPEST = 5
_WHOLE = frozenset({"fullmatch"})
_AT_ITS_PLACE = frozenset({"match", "fullmatch"})


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, where it stands, and how it is applied, as far as that is seen."""

    name: str
    pattern: str
    flags: int
    searched: bool = True
    whole: bool = False


def every_pattern() -> Iterator[Found]:
    """The patterns of all modules, each under the name it was first found by."""
    seen: set[re.Pattern[str]] = set()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Import keepsake_client")  # the old name of another package
        modules = [importlib.import_module(each.name) for each in pkgutil.walk_packages(keepsake.__path__, "keepsake.")]
    for loaded in modules:
        nodes = list(ast.walk(ast.parse(Path(loaded.__file__ or "").read_text(encoding="utf-8"))))
        uses = _uses(nodes)
        for name, value in list(vars(loaded).items()):
            for path, pattern in _held(value, name, 0):
                if pattern not in seen and isinstance(pattern.pattern, str):
                    seen.add(pattern)
                    how = uses.get(path) or frozenset({"search"})
                    yield Found(
                        f"{loaded.__name__}.{path}",
                        pattern.pattern,
                        pattern.flags,
                        searched=not how <= _AT_ITS_PLACE,
                        whole=bool(how & _WHOLE),
                    )
        yield from _written_in_place(loaded.__name__, nodes)


def _held(value: Any, name: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns in a value: itself, or in a collection, a mapping or a dataclass."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth > _DEEPEST or isinstance(value, str | bytes | type):
        return
    elif isinstance(value, list | tuple | set | frozenset):
        for index, item in enumerate(value):
            yield from _held(item, f"{name}[{index}]", depth + 1)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _held(key, f"{name} key", depth + 1)
            yield from _held(item, f"{name}[{key}]", depth + 1)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _held(getattr(value, each.name, None), f"{name}.{each.name}", depth + 1)


def _uses(nodes: Sequence[ast.AST]) -> dict[str, frozenset[str]]:
    """By name of a pattern the methods it is used by; a name that is handed on is taken for searched."""
    found: dict[str, set[str]] = {}
    methods = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, set()).add(methods.get(id(node), "search"))
    return {name: frozenset(how) for name, how in found.items()}


def _written_in_place(module: str, nodes: Sequence[ast.AST]) -> Iterator[Found]:
    """The literals given to ``re.sub`` and its like."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if not (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"):
            continue
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and called.attr != "compile":
            how = called.attr
            flags = re.IGNORECASE if "re.I" in ast.unparse(node) else 0
            yield Found(f"{module}:{node.lineno}", first.value, flags, how not in _AT_ITS_PLACE, how in _WHOLE)


def long_patterns(code: str) -> list[tuple[int, int]]:
    """The literals of a module that are regular expressions and longer, as written, than one may be.

    Each as its length and its line; a value that is inserted counts as its name.
    """
    nodes = list(ast.walk(ast.parse(code)))
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    literals = [node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in parts]
    patterns = [(text, node.lineno) for node in literals if "(?" in (text := _written(node))]
    return [(len(text), line) for text, line in patterns if len(text) > MAX_PATTERN_LENGTH]


def _written(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else ast.unparse(part) for part in node.values)
