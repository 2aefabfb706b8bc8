"""What a sentence of a summary turns round, though all of its words stand in what it cites.

A refusal told as consent, and the day of a message for the time that it tells of. Each is found only where the text
itself says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.extraction.grounding import content_stems as stems
from keepsake.domain.summaries.false_sentences.clauses import split_clauses
from keepsake.domain.text import normalize_apostrophes, words

_ANSWER = re.compile(
    r"\b(?:(?P<yes>(?:said|says|say) yes|agree[sd]?|accept(?:s|ed)?)"
    r"|(?:said|says|say) no|refuse[sd]?|decline[sd]?|reject(?:s|ed)|turn(?:s|ed) (?:it |him |her |them )?down)\b",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(r"'\d\d\b|\b(?:19|20)\d\d\b|\bago\b|\blast (?:year|summer|spring|autumn|fall|winter)\b")
_WEEKDAY = re.compile(rf"\bon (?P<day>{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)


def find_contradiction(sentence: str, texts: Sequence[str]) -> str | None:
    """What a sentence says otherwise than the texts it cites, in words for the model; None where nothing is found."""
    said, own = normalize_apostrophes(sentence), [normalize_apostrophes(text) for text in texts]
    if _is_other_answer(said, own):
        return "its text says yes where it says no, or no where it says yes"
    return "its text tells of another time" if _has_day_of_message(said, own) else None


def _is_other_answer(said: str, texts: Sequence[str]) -> bool:
    """Whether a part says yes where the text that it shares most with says no, or the other way round."""
    for part in split_clauses(said):
        answers = _answers(part)
        nearest = max(texts, key=lambda text: len(stems(text) & stems(part)), default="")
        others = _answers(nearest)
        if answers and others and not answers & others and stems(nearest) & stems(part):
            return True
    return False


def _answers(text: str) -> frozenset[bool]:
    """The answers of a text: whether each is yes."""
    return frozenset(match["yes"] is not None for match in _ANSWER.finditer(text))


def _has_day_of_message(said: str, texts: Sequence[str]) -> bool:
    """Whether it puts on a weekday that no text names what a text puts into another year."""
    days = {match["day"].casefold() for match in _WEEKDAY.finditer(said)}
    if not days or days & {word for text in texts for word in words(text)}:
        return False
    clauses = [clause for text in texts for clause in split_clauses(text)]
    nearest = max(clauses, key=lambda clause: len(stems(clause) & stems(said)), default="")
    has_same = len(stems(nearest) & stems(said)) > 1
    return has_same and bool(_OTHER_TIME.search(nearest)) and not _OTHER_TIME.search(said)
