"""The texts that a part of a sentence comes from: those that share most of its words, in any form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.evidence.clauses_around import is_calendar_word
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.text import stem, words

_PERSONS = frozenset(words("he she him her his them they their himself herself who whom i me my we us our it its"))


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


def nearest(part: str, texts: Sequence[Citable], left_out: frozenset[str] = frozenset()) -> list[Citable]:
    """The texts that share most words with a part; none where none shares any."""
    wanted = content(part) - left_out
    shared = [len(content(one.text) & wanted) for one in texts]
    highest = max(shared, default=0)
    return [one for one, count in zip(texts, shared, strict=True) if count == highest > 0]
