"""The lexicon of word forms (lemminflect), loaded when the first word is looked up: it takes about half a second."""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from types import ModuleType
from typing import Literal

PartOfSpeech = Literal["NOUN", "VERB", "AUX"]

_CACHED_WORDS = 16_384
_LOADING = Lock()


def load_lexicon() -> None:
    """Load the lexicon now, so that the first message does not wait for it."""
    with _LOADING:
        _lexicon()


@lru_cache(_CACHED_WORDS)
def known_lemmas(word: str, part: PartOfSpeech) -> tuple[str, ...]:
    """The base forms the lexicon lists for a word, likeliest first; empty where it does not know the word."""
    load_lexicon()
    return tuple(_lexicon().getLemma(word, part, lemmatize_oov=False))


@lru_cache(_CACHED_WORDS)
def guess_lemma(word: str, part: PartOfSpeech) -> str:
    """The base form of a word that the lexicon does not know, by its ending."""
    load_lexicon()
    return next(iter(_lexicon().getLemma(word, part)), word)


@lru_cache(_CACHED_WORDS)
def inflect_third_person(verb: str) -> str:
    """The base form of a verb as it stands after a name ("watch": "watches")."""
    load_lexicon()
    return next(iter(_lexicon().getInflection(verb, "VBZ")), verb)


@cache
def _lexicon() -> ModuleType:
    """The library, with both of its tables read. It reads them on first use and without a lock: hence ours."""
    import lemminflect  # noqa: PLC0415 (with numpy it takes 0.2 s, and many processes never look up a word)

    for part in ("NOUN", "VERB"):
        lemminflect.getLemma("qzzings", part)
    lemminflect.getInflection("qzzing", "VBZ")
    return lemminflect
