"""Detects that a message is only for one persona: "just between us"."""

from __future__ import annotations

import re

from keepsake.domain.text import normalize_apostrophes

_US = r"between (?:us|you and (?:me|i)|the two of us)"
_FILLERS = "(?:(?:ok|okay|so|well|but|and|also|honestly|this is|it's|that's) ){0,6}"
_START = r"(?:^|[.!?;:,(\n\u2013\u2014-])\s{0,12}"
_NOT_SHARED = r"(?!,? we (?:have|had|own|make|made|earn|speak|share|spent|drank|ate|got)\b)"
_END = r"(?=\s{0,12}(?:[.!?;:,)\n\u2013\u2014-]|$)|\s{1,12}(?:i|i'm|i've|my)\b)"
_CONFIDENTIAL = re.compile(
    rf"\b(?:just|only|strictly|stays?|keep (?:this|that|it)) {_US}\b|{_START}{_FILLERS}{_US}{_NOT_SHARED}{_END}"
    r"|\bfor your ears only\b|\bonly you (?:should|may|can|get to|must) know\b",
    re.IGNORECASE,
)


def is_private_to_persona(text: str) -> bool:
    """Whether a message says that it is only for the persona it was written to."""
    return _CONFIDENTIAL.search(normalize_apostrophes(text)) is not None
