"""Parts a sentence into its clauses, since a claim may stand in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BORDER = re.compile(r",\s|[:(]\s?|\s(?:and|but|or|so|because|while|though|although|that|since|[-–—])\s")
_MIN_WORDS = 3


def clauses(sentence: str) -> Iterator[str]:
    """Each clause of a sentence that has several, and each two that stand together; none of fewer than three words."""
    borders = list(_BORDER.finditer(sentence))
    if not borders:
        return
    starts = [0, *(border.end() for border in borders)]
    ends = [*(border.start() for border in borders), len(sentence)]
    spans = [*zip(starts, ends, strict=True)]
    if len(borders) > 1:
        spans += zip(starts, ends[1:], strict=False)
    for start, end in spans:
        part = sentence[start:end]
        if len(part.split()) >= _MIN_WORDS:
            yield part
