"""Counts tokens as o200k_base does where the encoding is on the machine, else by an estimate that errs high.

The encoding comes with ``rs-bpe``; nothing is fetched. Where that is not built for the platform, the estimate counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

Counter = Callable[[str], int]

_ENGLISH = Path(__file__).with_name("frequent_english.txt")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,3}|[ ](?=[^ 0-9])|[\x00-\x7f]|[^\x00-\x7f]+")


@cache
def load_token_counter() -> Counter:
    """The best counter this machine has; loaded once a process."""
    return _from_rs_bpe() or estimate


def estimate(text: str) -> int:
    """More tokens than the text has: about a quarter more in English, up to three times as many in other scripts.

    A letter outside ASCII counts as its bytes, which no text exceeds; an ASCII word counts by how English it looks,
    with figures that were measured against o200k_base.
    """
    return math.ceil(sum(map(_cost, _PIECE.findall(text))))


def _from_rs_bpe() -> Counter | None:
    try:
        from rs_bpe.bpe import openai  # noqa: PLC0415  # not built for every platform
    except ImportError:
        return None
    encoding = openai.o200k_base()
    return lambda text: int(encoding.count(text))


def _cost(piece: str) -> float:
    """The most that one piece of a text is likely to be, in tokens."""
    if not piece.isascii():
        return len(piece.encode())
    if piece.isalpha():
        return _word_cost(piece)
    if piece.isdigit():
        return 1.2
    return 0 if piece == " " else 1


def _word_cost(word: str) -> float:
    """One for frequent words, a little more for what is spelled like English, nearly a token a letter for the rest."""
    pairs, frequent = _english()
    lower, length = word.lower(), len(word)
    if length == 1 or lower in frequent:
        return 1
    english = not word.isupper() and all(lower[i : i + 2] in pairs for i in range(length - 1))
    if length <= 3:
        return 1 if english else 0.75 * length if word == lower else length
    return 0.9 + 0.1 * length if english else 0.7 * length


@cache
def _english() -> tuple[frozenset[str], frozenset[str]]:
    """The frequent pairs of letters, and the frequent words."""
    _, pairs, codes = re.split(r"(?<=each\.)\n|\n\n", _ENGLISH.read_text(encoding="ascii"))
    return frozenset(pairs.split()), frozenset(codes.split())
