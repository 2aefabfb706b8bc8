"""The reason that a sentence of a summary gives, against what was said beside what it explains."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.number_words import NUMBER_WORDS
from keepsake.domain.summaries.false_sentences.clauses import content, find_nearest
from keepsake.domain.text import stem

_REASON = re.compile(
    r",? (?:because(?: of)?|due to|owing to|thanks to|so that|in order to|which (?:made|meant|is why)) "
)
_END = re.compile(r"[.!?;:](?:\s|$)|, (?:so|and|but|while) ")
_NUMBERS = frozenset(map(stem, NUMBER_WORDS))
_MIN_SHARED = 2
"""Words of a reason that a text has in common with it at least, where it does not say what the reason explains."""


def find_invented_reason(sentence: str, texts: Sequence[str]) -> str | None:
    """A reason most of whose words stand neither in the texts that say what it explains nor in another one."""
    for part in filter(None, _END.split(sentence)):
        explained, *reasons = _REASON.split(part)
        near = find_nearest(explained, texts)
        own = frozenset[str]().union(*map(content, near))
        for reason in reasons if near else ():
            wanted = content(reason) - _NUMBERS
            shared = [wanted & own, *(found for one in texts if len(found := wanted & content(one)) >= _MIN_SHARED)]
            if 2 * max(map(len, shared)) < len(wanted):
                return reason
    return None
