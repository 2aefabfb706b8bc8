"""Undoes obfuscation: a text as written, and with lookalikes, separated letters and digits as plain letters."""

from __future__ import annotations

import re

from keepsake.domain.screening.homoglyphs import fold_homoglyphs

_SPELLED = re.compile(r"(?<!\w)(?:\w[-._*]){2,60}\w(?!\w)")
"""Letters with separators between them ("i-g-n-o-r-e")."""

SPACED_LETTERS = re.compile(r"(?<!\w)(?:\w\s{1,3}){5,200}\w(?!\w)")
"""Letters with blanks between them ("i g n o r e")."""

_GAP = re.compile(r"\s{2,}")
_BLANK = re.compile(r"\s")
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"(?<=[a-z])[013457@$](?=[a-z])|(?<=[a-z])[013457@$](?=\w?[a-z])", re.IGNORECASE)
_LEET_START = re.compile(r"(?<!\w)[013457@$](?=[a-z]{3})", re.IGNORECASE)


def readable_forms(text: str) -> list[str]:
    """The text, and with lookalikes, separated letters and digits in words as the letters they stand for."""
    folded = fold_homoglyphs(text)
    return list(dict.fromkeys((text, folded, _without_separators(folded), _without_leet(folded))))


def _without_separators(text: str) -> str:
    joined = _SPELLED.sub(lambda match: re.sub(r"[-._*]", "", match[0]), text)
    return SPACED_LETTERS.sub(lambda match: " ".join(_BLANK.sub("", word) for word in _GAP.split(match[0])), joined)


def _without_leet(text: str) -> str:
    if not (_LEET_WORD.search(text) or _LEET_START.search(text)):
        return text
    spelled = _LEET_WORD.sub(lambda match: match[0].translate(_LEET), text)
    return _LEET_START.sub(lambda match: match[0].translate(_LEET), spelled)
