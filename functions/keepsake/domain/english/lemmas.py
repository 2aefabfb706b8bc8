"""Word forms by lemminflect, imported when the first word is looked up: that takes under two tenths of a second.

The tables are read on first use, each into a variable of its own once it is complete: threads that come together may
read one twice, and none sees half of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal

from keepsake.domain.english.word_tables import use_word_tables

PartOfSpeech = Literal["NOUN", "VERB", "AUX", "ADJ", "ADV"]

_CACHED_WORDS = 16_384


def load_lemma_tables() -> None:
    """Read the tables now, so that the first message does not wait for it."""
    guess_lemma("qzzings", "NOUN")
    inflect("qzzing", "VBZ")


def known_lemmas(word: str, part: PartOfSpeech) -> tuple[str, ...]:
    """The base forms the dictionary lists for a word, likeliest first; empty where it does not know the word."""
    return _lemmas_by_part(word).get(part, ())


@lru_cache(_CACHED_WORDS)
def _lemmas_by_part(word: str) -> Mapping[str, tuple[str, ...]]:
    """The base forms of a word by its parts of speech; empty where the dictionary does not know it."""
    found: Mapping[str, tuple[str, ...]] = _lemminflect().getAllLemmas(word)
    return found


@lru_cache(_CACHED_WORDS)
def guess_lemma(word: str, part: PartOfSpeech) -> str:
    """The base form of a word that the dictionary does not know, by its ending."""
    return next(iter(_lemminflect().getLemma(word, part)), word)


@lru_cache(_CACHED_WORDS)
def inflect(verb: str, tag: Literal["VBZ", "VBD", "VBN"]) -> str:
    """The form of a verb after a name ("VBZ", "watch": "watches"; "VBD": "watched") or after "was" ("VBN")."""
    return next(iter(_lemminflect().getInflection(verb, tag)), verb)


@lru_cache(_CACHED_WORDS)
def known_tags(word: str, verb: str) -> frozenset[str]:
    """The tags (of the Penn Treebank) that a word has as a form of a verb; empty where it is none of its forms.

    The dictionary lists the participle of a regular verb as its past only: "lived" is both.
    """
    inflections = _lemminflect().getAllInflections(verb, "VERB")
    tags = frozenset(tag for tag, forms in inflections.items() if word in forms)
    return tags | {"VBN"} if "VBD" in tags and "VBN" not in inflections else tags


@cache
def _lemminflect() -> Any:
    import lemminflect  # noqa: PLC0415 (many processes never look up a word)

    use_word_tables()
    return lemminflect
