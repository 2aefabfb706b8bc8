"""Homoglyphs: letters that look like a letter of ASCII, and letters with accents, folded to that letter."""

from __future__ import annotations

import unicodedata

from keepsake.domain.english.load_word_lists import load_pairs


def _table() -> dict[int, str]:
    lookalikes = load_pairs("homoglyphs", __package__).items()
    table = {ord(one): letter for letter, similar in lookalikes for one in similar}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and code not in table:
            table[code] = base
    return table


_TABLE = _table()


def fold_homoglyphs(text: str) -> str:
    """The text with each lookalike as the letter it looks like; its length does not change."""
    return text if text.isascii() else text.translate(_TABLE)
