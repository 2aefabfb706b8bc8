"""The part of a message that is read: all of it, or of a very long one as much as ends with a sentence."""

from __future__ import annotations

import re

MAX_READ_LENGTH = 32_000
"""Characters of one message that extraction reads."""

_SENTENCE_END = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’)\]]*+(?=\s)|\n")


def readable_part(text: str, limit: int = MAX_READ_LENGTH) -> tuple[str, bool]:
    """The text up to the last sentence end within ``limit``, and whether something was left out."""
    if len(text) <= limit:
        return text, False
    head = text[: limit + 1]
    ends = [match.end() for match in _SENTENCE_END.finditer(head) if match.end() <= limit]
    return (head[: ends[-1]] if ends else text[:limit]), True
