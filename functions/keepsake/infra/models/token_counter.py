"""Counts tokens exactly, as the encoding o200k_base does, or by an estimate that errs high.

The encoding comes with ``rs-bpe``, which is not built for every platform. Nothing is fetched.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache, lru_cache

TokenCounter = Callable[[str], int]

_WORD_OR_SPACE = re.compile(r"(?P<word>[A-Za-z]+)|(?<! ) (?! )")
_LETTERS_PER_TOKEN = 2.5
_LINE_END = re.compile(r"\n(?=[!-.0-~])")
"""A line break that ends a token: one that is followed by a space, a line break or a slash may take it along."""
_MAX_CACHED_LINES = 2048


@cache
def load_token_counter() -> TokenCounter:
    """Return the best counter that this machine has; loaded once a process.

    A context is counted by its lines: many stand in the person's next one too, and in each attempt to fit a budget.
    """
    try:
        from rs_bpe.bpe import openai  # noqa: PLC0415  # not built for every platform
    except ImportError:
        return estimate_tokens
    encoding = openai.o200k_base()

    @lru_cache(_MAX_CACHED_LINES)
    def count_line(line: str, end: str = "\n") -> int:
        return int(encoding.count(line + end))

    def count(text: str) -> int:
        *lines, last = _LINE_END.split(text)
        return sum(map(count_line, lines)) + count_line(last, "")

    return count


def estimate_tokens(text: str) -> int:
    """Estimate a number of tokens that is at least the true one for prose in any language, code and JSON.

    ASCII letters count by their number, a space between two words not at all. Each other character counts as its
    bytes in UTF-8, more than which no text has in a byte-level encoding.
    """
    words = sum(math.ceil(len(word) / _LETTERS_PER_TOKEN) for word in _WORD_OR_SPACE.findall(text))
    return words + len(_WORD_OR_SPACE.sub("", text).encode(errors="surrogatepass"))
