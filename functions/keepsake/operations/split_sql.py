"""Splits a migration into statements, as the Supabase CLI does before it runs and records them."""

from __future__ import annotations

import re

# Everything in which a semicolon does not end a statement, then what opens and closes a body, then the rest.
_TOKEN = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?\*/ )
    | (?P<opaque> (?<![\w$])[eE]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | "(?:[^"]|"")*"
                | (?<![\w$])\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?\$(?P=tag)\$ )
    | (?P<word> [A-Za-z_][\w$]* )
    | (?P<space> \s+ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def split_statements(script: str) -> list[str]:
    """The statements in order, each with the comments before it and without its semicolon."""
    statements: list[str] = []
    start, depth, said_something, word_before = 0, 0, False, ""
    for token in _TOKEN.finditer(script):
        if token["comment"] or token["space"]:
            continue
        word = (token["word"] or "").lower()
        depth += _opens_or_closes(word, word_before, depth)
        word_before = word
        if token[0] != ";":
            said_something = True
        elif not depth:
            if said_something:
                statements.append(script[start : token.start()].strip())
            start, said_something = token.end(), False
    return [*statements, script[start:].strip()] if said_something else statements


def _opens_or_closes(word: str, word_before: str, depth: int) -> int:
    """How a word changes the depth of ``begin atomic … end`` bodies, inside which ``case … end`` nests."""
    if word == "atomic" and word_before == "begin":
        return 1
    if depth and word == "case":
        return 1
    return -1 if depth and word == "end" else 0
