"""Says whether a message states what is quoted from it, and why nothing was found in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import clauses
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.text import normalize_apostrophes, shorten_runs, split_at_sentences

MAX_LENGTH = 8_000


def is_stated(quote: str, message: str, *, is_english: bool = True) -> bool:
    """Whether the author of a message states what is quoted from it; True where these rules cannot tell.

    Of other languages than English they know questions by their sign, and quoted text: "Am două pisici." asks nothing.
    """
    if len(message) > MAX_LENGTH:
        return True
    message = shorten_runs(message)
    quote = " ".join(shorten_runs(quote).split())
    masked, statements = _read(message)
    start = " ".join(normalize_apostrophes(message).split()).find(normalize_apostrophes(quote))
    if start >= 0 and MASK in " ".join(masked.split())[start : start + len(quote)]:
        return False
    if not is_english:
        return not quote.endswith("?")
    if clause_filters.is_hypothesis(quote) or clause_filters.is_question_or_request(quote) or quote.endswith("?"):
        return any(statement in quote or quote in statement for statement in statements)
    return not clause_filters.is_hedged(quote)


@lru_cache(maxsize=64)
def _read(message: str) -> tuple[str, tuple[str, ...]]:
    """The message with quoted text masked, and the quotes of its clauses."""
    quotes = tuple(" ".join(clause.quote.split()) for clause in clauses(message))
    return mask_quoted_text(normalize_apostrophes(message)), quotes


_REASONS: Mapping[str, Callable[[str], bool]] = {
    "supposed": lambda said: clause_filters.is_hypothesis(said) or clause_filters.is_joking(said),
    "asked": lambda said: "?" in said or clause_filters.is_question_or_request(normalize_clause(said).words),
    "hedged": lambda said: clause_filters.is_hedged(normalize_clause(said).words),
}


def no_result_reason(text: str) -> str | None:
    """``secret``, ``quoted``, ``supposed``, ``asked`` or ``hedged``, the first that applies; None where none does."""
    if find_secrets(text):
        return "secret"
    masked = mask_quoted_text(normalize_apostrophes(shorten_runs(text[:MAX_LENGTH])))
    if MASK in masked:
        return "quoted"
    sentences = split_at_sentences(masked)
    return next((reason for reason, applies in _REASONS.items() if any(map(applies, sentences))), None)
