"""The clauses of a sentence or message, their words of meaning, and which of several texts are nearest to a part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.inflection import is_finite
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.evidence.clauses_around import is_calendar_word
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.text import normalize_apostrophes, stem, words

_END = re.compile(r"[.!?;:\n(),](?:\s|$)| (?=(?:and|but|while|so|because(?! of)) )")
_PERSONS = frozenset(words("he she him her his them they their himself herself who whom i me my we us our it its"))


def split_clauses(text: str) -> list[str]:
    """The clauses; one after a conjunction begins with it, and what has no verb belongs to the one before it."""
    clauses: list[str] = []
    for piece in filter(None, _END.split(normalize_apostrophes(text))):
        if clauses and not any("'" in word or is_finite(word) or known_lemmas(word, "VERB") for word in words(piece)):
            clauses[-1] = f"{clauses[-1]}, {piece}"
        else:
            clauses.append(piece)
    return clauses


@lru_cache(maxsize=1024)
def content(text: str) -> frozenset[str]:
    """The stems of English words that carry meaning, verbs in their base form, without days, months and persons."""
    found = [word.removesuffix("'s") for word in words(text)]
    return frozenset(
        stem(next(iter(known_lemmas(word, "VERB")), word))
        for word in found
        if word not in STOPWORDS | _PERSONS and not word.isdecimal() and not is_calendar_word(word, "en")
        if kinship_of(word) is None
    )


def find_nearest(part: str, texts: Sequence[str], left_out: frozenset[str] = frozenset()) -> list[str]:
    """The texts that share most words with a part; none where none shares any."""
    wanted = content(part) - left_out
    shared = [len(content(text) & wanted) for text in texts]
    highest = max(shared, default=0)
    return [text for text, count in zip(texts, shared, strict=True) if count == highest > 0]
