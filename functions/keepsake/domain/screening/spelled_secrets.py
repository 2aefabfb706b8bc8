"""Finds secrets that are spelled in words: digits of card numbers, and the recovery words of wallets."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from mnemonic import Mnemonic

from keepsake.domain.english.load_word_lists import load_pairs

SPOKEN_DIGITS = {word: int(value) for word, value in load_pairs("spoken_digits", __package__).items()}
"""The numbers from zero to ninety in words, in the languages that are read."""

_WALLET = frozenset(Mnemonic("english").wordlist)
"""The recovery words of wallets (BIP 39)."""

_REPEATS = {"double": 2, "triple": 3}
_WORD = re.compile(r"[^\W\d_]+|\d+")
_MIN_SPOKEN = 4
_MIN_WALLET = 11
"""One fewer than a wallet has: a word may be misspelled."""

Span = tuple[int, int]


def find_spoken_numbers(text: str) -> Iterator[tuple[str, Span]]:
    """The numbers that are spelled in words ("four one double two"), as digits, with their positions."""
    digits, span, repeat, count, last = "", (0, 0), 1, 0, 0
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        near = not count or match.start() - span[1] <= _MIN_SPOKEN
        value = SPOKEN_DIGITS.get(word)
        if near and word in _REPEATS:
            repeat, span, count = _REPEATS[word], (span[0] if count else match.start(), match.end()), count + 1
            continue
        if value is None or not near:
            if len(digits) >= _MIN_SPOKEN:
                yield digits, span
            digits, repeat, count, last = "", 1, 0, 0
        if value is not None:
            span = (span[0] if count else match.start(), match.end())
            digits = _append(digits, value, repeat, last)
            repeat, count, last = 1, count + 1, value
    if len(digits) >= _MIN_SPOKEN:
        yield digits, span


def _append(digits: str, value: int, repeat: int, last: int) -> str:
    """The digits with one more number, after the ``last`` one; "forty two" is 42, and "four zero two" is 402."""
    if 0 < value < 10 <= last and last % 10 == 0 and repeat == 1 and last > 10:
        return f"{digits[:-1]}{value}"
    return digits + str(value) * repeat


def find_wallet_words(text: str) -> Iterator[Span]:
    """Where recovery words of a wallet stand in a row, with numbers or punctuation between them at most."""
    words = (match for match in _WORD.finditer(text) if not match[0].isdecimal())
    for is_wallet, run in itertools.groupby(words, lambda word: word[0].casefold() in _WALLET):
        if is_wallet and len(row := [*run]) >= _MIN_WALLET:
            yield row[0].start(), row[-1].end()
