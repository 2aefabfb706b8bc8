"""Whether what was wanted, planned or not yet so was followed up by something said later, which may have settled it."""

from __future__ import annotations

from collections.abc import Iterable

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.text_forms import stopwords
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.standalone_sentences import names_others
from keepsake.domain.summaries.summary_words import SummaryWords
from keepsake.domain.text import words

_MIN_LETTERS, _STEM = 3, 5


def is_followed_up(text: str, later: Iterable[str], spoken: SummaryWords) -> bool:
    """Whether a text tells of what is not settled, and a later one is about the same."""
    if not spoken.is_unsettled(text):
        return False
    about, is_of_others = _subjects(text, spoken), names_others(text, spoken, ())
    return any(about & _subjects(one, spoken) or (is_of_others and _has_pronoun(one, spoken)) for one in later)


def _has_pronoun(text: str, spoken: SummaryWords) -> bool:
    """Whether a text is about somebody whom an earlier one may have named: "told her"."""
    return any(map(spoken.is_third_person, words(text)))


def _subjects(text: str, spoken: SummaryWords) -> frozenset[str]:
    """What a text may be about: relatives, and how its other words begin."""
    found = (word for word in words(text) if len(word) >= _MIN_LETTERS and word not in stopwords() | STOPWORDS)
    return frozenset(kinship_of(word) or word[:_STEM] for word in found if not spoken.is_unsettled(word))
