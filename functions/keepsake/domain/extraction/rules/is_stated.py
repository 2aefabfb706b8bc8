"""Whether a stretch of a message states something: asked, supposed, quoted, pasted and played parts state nothing."""

from __future__ import annotations

from functools import lru_cache

from keepsake.domain.extraction.rules import clause_filters
from keepsake.domain.extraction.rules.clauses import clauses
from keepsake.domain.extraction.rules.quoted_text import BLANK, own_words
from keepsake.domain.text import normalize_apostrophes, shorten_runs

MAX_LENGTH = 8_000


def is_stated(quote: str, said: str) -> bool:
    """Whether the author states what they are cited with; True where these English rules cannot tell."""
    if len(said) > MAX_LENGTH:
        return True
    said = shorten_runs(said)
    whole = " ".join(shorten_runs(quote).split())
    seen, stated = _read(said)
    blanked = " ".join(normalize_apostrophes(said).split()).find(normalize_apostrophes(whole))
    if blanked >= 0 and BLANK in " ".join(seen.split())[blanked : blanked + len(whole)]:
        return False
    if clause_filters.opens_hypothesis(whole) or clause_filters.asks(whole) or whole.endswith("?"):
        return any(_overlap(clause, whole) for clause in stated)
    return not clause_filters.is_hedged(whole)


@lru_cache(maxsize=64)
def _read(said: str) -> tuple[str, tuple[str, ...]]:
    """The author's own words at their place, and the clauses in which they state something."""
    return own_words(normalize_apostrophes(said)), tuple(" ".join(clause.quote.split()) for clause in clauses(said))


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one
