"""Finds a denial without words of its own, which refers to the clause before it: "They asked me to stay. Said no"."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.evidence.clauses_around import Passage
from keepsake.domain.evidence.speaker_words import speaker_words
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.text import stem, words

ENGLISH = "en"
_ANSWER = "no"
_REPORTING_VERBS = frozenset(map(stem, ("say", "said", "saying", "told", "tell", "answered", "replied")))
_AFTER_ANSWER = "to"


def find_denial(part: str, clauses: Sequence[Sequence[str]], nearest: tuple[int, int]) -> tuple[int, int] | None:
    """Which clause denies all that a part denies, and refers back to the clause nearest to the part.

    ``clauses`` are those of each text, by time; a place is the number of a text and of its clause. A bare denial has
    no words but those of the part, and stands directly after the nearest clause or begins a later text.
    """
    text, place = nearest
    denied, said = _denied(part), _content(part)
    if not denied or denied & _content(clauses[text][place]):
        return None
    following = [(text, place + 1), *((later, 0) for later in range(text + 1, len(clauses)))]
    for where, which in following:
        for one in clauses[where][which : which + 1]:
            if _content(one) <= said and denied <= _denied(one):
                return where, which
    return None


def _denied(text: str) -> frozenset[str]:
    """The stems of the first word of meaning after each negation, or "no" where that is an answer."""
    passage = Passage(text, text, ENGLISH)
    found: set[str] = set()
    for index, token in enumerate(passage.tokens):
        if not is_negation(token):
            continue
        after = [one for place, one in enumerate(passage.tokens) if place > index and not passage.is_mark(place)]
        if token == _ANSWER and (not after or after[0] == _AFTER_ANSWER):
            found.add(_ANSWER)
            continue
        first = next((stem(one) for one in after if one not in STOPWORDS), None)
        found.add(first or token)
    return frozenset(found)


def is_negation(word: str) -> bool:
    """Whether an English word in small letters denies by itself, as "cannot"."""
    return any(kind == "not" for kind, _ in speaker_words(ENGLISH).senses(word))


def _content(text: str) -> frozenset[str]:
    content = (word for word in words(text) if word not in STOPWORDS and not is_negation(word))
    return frozenset(map(stem, content)) - _REPORTING_VERBS
