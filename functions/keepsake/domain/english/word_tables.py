"""The tables of lemminflect, read line by line: an entry is parsed when it is looked up.

lemminflect parses all hundred thousand lines before its first answer, which takes a third of a second and 35 MB.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

Entry = Mapping[str, tuple[str, ...]]


class WordTable:
    """A table of words with lines "word,category,forms"; has the one method of a dictionary that lemminflect calls."""

    def __init__(self, file: str, parse: Callable[[str], Entry], exceptions: Mapping[str, Entry]) -> None:
        self._lines = sorted(gzip.decompress(Path(file).read_bytes()).decode().splitlines())
        self._parse, self._exceptions = parse, exceptions

    def get(self, word: str, default: Entry) -> Entry:
        """The forms of a word, by their kind."""
        if word in self._exceptions:
            return self._exceptions[word]
        return {kind: forms for line in self._lines_of(word) for kind, forms in self._parse(line).items()} or default

    def _lines_of(self, word: str) -> Iterator[str]:
        start = f"{word},"
        at = bisect_left(self._lines, start)
        while at < len(self._lines) and self._lines[at].startswith(start):
            yield self._lines[at]
            at += 1


def use_word_tables() -> None:
    """Let lemminflect look words up in these tables instead of its own."""
    from lemminflect import Inflections, Lemmatizer, config  # noqa: PLC0415 (many processes never look up a word)
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec  # noqa: PLC0415
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec  # noqa: PLC0415
    from lemminflect.core.LexicalUtils import categoryToUPos  # noqa: PLC0415

    def lemmas(line: str) -> Entry:
        _, category, forms = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): forms}

    def inflections(line: str) -> Any:
        return InflectionLUCodec.fromString(line)[2]

    auxiliaries = InflectionLUCodec.updateForAuxMod({})
    Lemmatizer().lemma_dict = WordTable(config.lemma_lu_fn, lemmas, {})
    Inflections().infl_dict = WordTable(config.inflection_lu_fn, inflections, auxiliaries)
