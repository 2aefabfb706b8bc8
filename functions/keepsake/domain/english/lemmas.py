"""Word forms by lemminflect, imported when the first word is looked up: that takes under two tenths of a second.

lemminflect parses all hundred thousand lines of its tables before its first answer, which takes a third of a second and
35 MB. Here an entry is parsed when it is looked up. Threads that come together may read the tables twice, and none sees
half of one.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

PartOfSpeech = Literal["NOUN", "VERB", "AUX", "ADJ", "ADV"]

_CACHED_WORDS = 16_384


def load_lemma_tables() -> None:
    """Read the tables now, so that the first message does not wait for it."""
    base_form("qzzings", "NOUN")
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
def base_form(word: str, part: PartOfSpeech) -> str:
    """The base form of a word, by its ending where the dictionary does not know it."""
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


@lru_cache(_CACHED_WORDS)
def verb_tags(word: str) -> frozenset[str]:
    """The tags that a word may have as a form of any verb."""
    return frozenset[str]().union(*(known_tags(word, verb) for verb in known_lemmas(word, "VERB")))


@cache
def _lemminflect() -> Any:
    """The library, which looks words up in tables of ours: only those lines are parsed that it asks for."""
    import lemminflect  # noqa: PLC0415 (many processes never look up a word)
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec  # noqa: PLC0415
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec  # noqa: PLC0415
    from lemminflect.core.LexicalUtils import categoryToUPos  # noqa: PLC0415

    def lemmas(line: str) -> Entry:
        _, category, forms = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): forms}

    def inflections(line: str) -> Any:
        return InflectionLUCodec.fromString(line)[2]

    auxiliaries = InflectionLUCodec.updateForAuxMod({})
    lemminflect.Lemmatizer().lemma_dict = _WordTable(lemminflect.config.lemma_lu_fn, lemmas, {})
    lemminflect.Inflections().infl_dict = _WordTable(lemminflect.config.inflection_lu_fn, inflections, auxiliaries)
    return lemminflect


Entry = Mapping[str, tuple[str, ...]]


class _WordTable:
    """A table of words with lines "word,category,forms"; has the one method of a dictionary that lemminflect calls."""

    def __init__(self, file: str, parse: Callable[[str], Entry], exceptions: Mapping[str, Entry]) -> None:
        self._lines = sorted(gzip.decompress(Path(file).read_bytes()).decode().splitlines())
        self._parse, self._exceptions = parse, exceptions

    def get(self, word: str, default: Entry) -> Entry:
        """The forms of a word, by their kind."""
        if word in self._exceptions:
            return self._exceptions[word]
        lines = self._lines[bisect_left(self._lines, f"{word},") : bisect_left(self._lines, f"{word}-")]
        return {kind: forms for line in lines for kind, forms in self._parse(line).items()} or default
