"""Where a statement ends: the remark that follows it, or hangs off it, is no part of what is remembered."""

from __future__ import annotations

import re

from keepsake.domain.extraction.rules import clause_filters
from keepsake.domain.text import word_set

_REMARK = re.compile(
    r",\s+(?:who|whose|where|when|while|even (?:though|if)|if|as long as|until|unless|after|before|have|has|had|"
    r"been|am|was|did|do|does|is|are|let|hence|hopefully|obviously|apparently|whether|to be fair|for what it's worth|"
    r"(?:(?:which|that) (?:is|feels) )?(?:weird|funny|strange|odd|crazy|wild|mad)\b.{0,400}|"
    r"(?:for|since) (?:\w+ ){0,3}\w+ now|(?!only|family|italy|early|especially|july)[a-z]+ly\s*$|"
    r"(?:yes|no|really|seriously|honest|for real|period|full stop|hands down|by far|sorry|pray|trust|believe|wish|"
    r"sue|judge|don't|do not|not that|the [a-z]+ (?:came|says?|said|is|was|are|were|showed|has|have))\b)(?![\w'])"
    r"| been (?:doing|at|there)\b",
    re.I,
)
_NAMED = re.compile(r" (?:named|called) [\w'-]+(?= (?:who|which|that)\b|, (?:who|which|an?|the|my|our)\b)", re.I)
_PURPOSE = re.compile(
    r",? (?:well|good|fluently) enough (?:to|that|for|so)\b|,? so (?:that )?(?:i|we) (?:can|could|do not|don't)\b", re.I
)
_DANGLING = word_set("""
    and or but because what how why than the my our
""")
_SHORTEST = 6
_RELATIVE = re.compile(
    r"^(?P<who>(?:my|our) [\w' -]{2,40}), (?:who|which) (?P<aside>[^,]{2,120}), (?P<main>.+)$", re.I | re.S
)


def end_of_statement(piece: str) -> int:
    """How much of a piece is the statement itself."""
    if clause_filters.opens_front(piece) or _RELATIVE.match(piece.strip()):
        return len(piece)
    ends = [len(piece)]
    for pattern in (_REMARK, _PURPOSE):
        match = pattern.search(piece, _SHORTEST)
        ends.extend([match.start()] if match else [])
    if named := _NAMED.search(piece):
        ends.append(named.end())
    return min(ends)


def is_cut_short(words: str) -> bool:
    """True where the words break off in the middle of a phrase ("enough to ask what")."""
    return words.rpartition(" ")[2].lower() in _DANGLING


def relative(words: str) -> tuple[str, str] | None:
    """Both statements of "my sister, who lives in Oslo, is a nurse"."""
    match = _RELATIVE.match(words)
    return None if match is None else (f"{match['who']} {match['aside']}", f"{match['who']} {match['main']}")
