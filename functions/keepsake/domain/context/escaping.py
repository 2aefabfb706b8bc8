"""Escapes text of others for one line of a prompt: it cannot end its quotes, its line or the block."""

from __future__ import annotations

import json
import unicodedata

_SPACES = frozenset({"Cc", "Zl", "Zp", "Zs"})
_INVISIBLE = frozenset({"Cf", "Cs", "Co"})
_quote = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps makes a new encoder at each call
_JOINERS = frozenset("\u200c\u200d")  # Persian words and emoji families need them


def quote_text(text: str, limit: int | None = None) -> str:
    """The text as one JSON string on one line; angle brackets and backticks become look-alikes that open nothing.

    What comes out is for reading: ``json.loads`` gives back ``escape_text(text)``.
    """
    return _quote(escape_text(text, limit))


def escape_text(text: str, limit: int | None = None) -> str:
    """The text on one line, without invisible and markup characters, cut to ``limit`` characters."""
    visible = text.replace("<", "‹").replace(">", "›").replace("`", "'")
    if not (visible.isascii() and visible.isprintable()):
        visible = "".join(map(_visible_form, visible))
    line = " ".join(visible.split())
    if limit is None or len(line) <= limit:
        return line
    return line[: limit - 1].rstrip() + "…"


def _visible_form(character: str) -> str:
    if " " <= character <= "~":
        return character
    category = unicodedata.category(character)
    if category in _SPACES:
        return " "
    if character in _JOINERS:
        return character
    return "" if category in _INVISIBLE or 0xE0000 <= ord(character) <= 0xE01EF else character
