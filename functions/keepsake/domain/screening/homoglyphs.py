"""Letters of all scripts: lookalikes and letters with accents folded to those of ASCII, and scripts without spaces."""

from __future__ import annotations

import re
import unicodedata

from keepsake.domain.english.load_word_lists import load_pairs

UNSPACED_LETTER = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter of a script that writes no spaces between words, or few."""
_MIN_UNSPACED = 4
"""Letters of such a script that may be several words."""


def is_unspaced(text: str) -> bool:
    """Whether a text may be several words in a script that writes no spaces between them."""
    return len(UNSPACED_LETTER.findall(text)) >= _MIN_UNSPACED


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


def strip_marks(text: str) -> str:
    """The text without accents and vowel signs, which people leave out."""
    if text.isascii():
        return text
    letters = (one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one)[0] != "M")
    return unicodedata.normalize("NFC", "".join(letters))
