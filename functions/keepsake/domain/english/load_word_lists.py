"""Reads the word lists in ``data/``: one entry a line, blank lines and ``#`` comments ignored."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_REFERENCE = re.compile(r"\{(?P<name>[a-z]\w*)\}")
_HEADER = re.compile(r"\[(?P<name>[a-z]\w{2,})\]")


def _read(name: str, package: str) -> list[str]:
    return files(package).joinpath("data").joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()


@cache
def load_lines(name: str, package: str = __package__) -> tuple[str, ...]:
    """The entries of ``data/<name>.txt`` of a package, in their order."""
    entries = (line.partition("#")[0].strip() for line in _read(name, package))
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


@cache
def load_sections(name: str, package: str = __package__) -> dict[str, tuple[str, ...]]:
    """The entries below each ``[section]`` of a file; a comment takes a whole line: an entry may contain ``#``."""
    sections: dict[str, tuple[str, ...]] = {}
    current = ""
    for line in map(str.strip, _read(name, package)):
        if header := _HEADER.fullmatch(line):
            current = header["name"]
            sections[current] = ()
        elif line and not line.startswith("#"):
            sections[current] += (line,)
    return sections


def load_alternations(name: str, package: str = __package__, **references: str) -> dict[str, str]:
    """The sections of a file of regular expressions, each as one pattern that matches any of its entries.

    ``{word}`` in an entry means any entry of the earlier section of that name, or one of the ``references``.
    """
    patterns = dict(references)
    for section, entries in load_sections(name, package).items():
        inserted = (_REFERENCE.sub(lambda match: patterns[match["name"]], one) for one in entries)
        patterns[section] = f"(?:{'|'.join(inserted)})"
    return {section: pattern for section, pattern in patterns.items() if section not in references}
