"""Word forms by lemminflect, imported when the first word is looked up: that takes about half a second.

It reads its tables on first use, each into a variable of its own once it is complete: threads that come together may
read one twice, and none sees half of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

PartOfSpeech = Literal["NOUN", "VERB", "AUX", "ADJ", "ADV"]

_CACHED_WORDS = 16_384


def load_lemma_tables() -> None:
    """Read the tables now, so that the first message does not wait for it."""
    guess_lemma("qzzings", "NOUN")
    inflect_third_person("qzzing")


@lru_cache(_CACHED_WORDS)
def known_lemmas(word: str, part: PartOfSpeech) -> tuple[str, ...]:
    """The base forms the dictionary lists for a word, likeliest first; empty where it does not know the word."""
    from lemminflect import getLemma  # noqa: PLC0415 (many processes never look up a word)

    return tuple(getLemma(word, part, lemmatize_oov=False))


@lru_cache(_CACHED_WORDS)
def guess_lemma(word: str, part: PartOfSpeech) -> str:
    """The base form of a word that the dictionary does not know, by its ending."""
    from lemminflect import getLemma  # noqa: PLC0415

    return next(iter(getLemma(word, part)), word)


@lru_cache(_CACHED_WORDS)
def inflect_third_person(verb: str) -> str:
    """The base form of a verb as it stands after a name ("watch": "watches")."""
    from lemminflect import getInflection  # noqa: PLC0415

    return next(iter(getInflection(verb, "VBZ")), verb)


@lru_cache(_CACHED_WORDS)
def known_tags(word: str, verb: str) -> frozenset[str]:
    """The tags (of the Penn Treebank) that a word has as a form of a verb; empty where it is none of its forms."""
    from lemminflect import getAllInflections  # noqa: PLC0415

    return frozenset(tag for tag, forms in getAllInflections(verb, "VERB").items() if word in forms)
