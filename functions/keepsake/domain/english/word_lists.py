"""Reads the word lists in ``data/``: one entry a line, blank lines and ``#`` comments ignored."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load_lines(name: str, package: str = __package__) -> tuple[str, ...]:
    """The entries of ``data/<name>.txt`` of a package, in their order."""
    text = files(package).joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    entries = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(entry for entry in entries if entry)


@cache
def load_words(name: str, package: str = __package__) -> frozenset[str]:
    """The entries of a list, as a set to look words up in."""
    return frozenset(load_lines(name, package))


@cache
def load_pairs(name: str, package: str = __package__) -> dict[str, str]:
    """The entries of a list of ``word = form``, as a mapping."""
    pairs = (entry.partition("=") for entry in load_lines(name, package))
    return {word.strip(): form.strip() for word, _, form in pairs}
