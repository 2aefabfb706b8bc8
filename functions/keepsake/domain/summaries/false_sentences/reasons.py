"""The reason that a sentence of a summary gives, against what its texts give as one.

A text gives as a reason what follows "because", what stands before "so", and what it says directly after the thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from keepsake.domain.english.word_groups import NUMBER_WORDS
from keepsake.domain.summaries.false_sentences.clauses import content, find_nearest, split_clauses
from keepsake.domain.text import stem

_REASON = re.compile(
    r",? (because(?: of)?|due to|owing to|thanks to|so that|in order to|which (?:made|meant|is why)) (?=\w)"
)
_FIRST = re.compile(r"(?P<reason>(?:Because(?: of)?|Due to|Owing to|Thanks to) [^,]+), (?P<explained>.+)")
_END = re.compile(r"[.!?;:](?:\s|$)|, (?:so|and|but|while) ")
_NUMBERS = frozenset(map(stem, NUMBER_WORDS))
_MIN_SHARED = 2
"""Words of a reason that a text has in common with it at least, where it does not say what the reason explains."""
_BECAUSE = re.compile(r"\b(?:because|since|due|thanks)\b", re.IGNORECASE)
_THEREFORE = re.compile(r"(?:so|therefore)\b", re.IGNORECASE)
_PURPOSES = frozenset({"so that", "in order to"})
_THINGS = frozenset({"because of", "due to", "owing to"})
"""What precedes a reason without a verb, which a text need not give as one: "because of his heart"."""


def find_invented_reason(sentence: str, texts: Sequence[str]) -> str | None:
    """A reason most of whose words no text has, or that stands in a text and is none there."""
    for part in filter(None, _END.split(_with_reason_last(sentence))):
        explained, *links = _REASON.split(part)
        near = find_nearest(explained, texts)
        own = frozenset[str]().union(*map(content, near))
        for link, reason in zip(links[::2], links[1::2], strict=True) if near else ():
            wanted = content(reason) - _NUMBERS
            if not wanted or (link in _PURPOSES and _has_purpose(explained, texts)):
                continue
            shared = [wanted & own, *(found for one in texts if len(found := wanted & content(one)) >= _MIN_SHARED)]
            is_present = 2 * max(map(len, shared)) >= len(wanted)
            if not is_present or not (
                link in _THINGS or len(wanted) < _MIN_SHARED or _is_reason(explained, reason, texts)
            ):
                return reason
    return None


def _with_reason_last(sentence: str) -> str:
    match = _FIRST.fullmatch(sentence.rstrip("."))
    return f"{match['explained']} {match['reason'][0].lower()}{match['reason'][1:]}" if match else sentence


def _has_purpose(explained: str, texts: Sequence[str]) -> bool:
    """Whether a clause with "so" follows the one that is explained: its purpose may be worded freely."""
    clauses = [clause for text in texts for clause in split_clauses(text)]
    near = find_nearest(explained, clauses)
    return any(before in near and after.startswith("so ") for before, after in pairwise(clauses))


def _is_reason(explained: str, reason: str, texts: Sequence[str]) -> bool:
    """Whether a clause nearest to a reason is given as one in its text, or stands beside what it explains."""
    for text in texts:
        clauses = split_clauses(text)
        of_thing = find_nearest(explained, clauses)
        for before, clause, after in zip(["", *clauses], clauses, [*clauses[1:], ""], strict=False):
            is_marked = before in of_thing or clause in of_thing or _BECAUSE.search(clause) or _THEREFORE.match(after)
            if clause in find_nearest(reason, clauses) and is_marked:
                return True
    return False
