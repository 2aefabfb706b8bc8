"""The tables of words that are read line by line say what lemminflect's own would say, for every word."""

from __future__ import annotations

import pytest
from lemminflect import Inflections, Lemmatizer, config
from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from keepsake.domain.english.lemmas import _WordTable, load_lemma_tables


@pytest.mark.parametrize("name", ["lemmas", "inflections"])
def test_every_word__has_the_forms_that_lemminflect_reads(name: str) -> None:
    """In the same order: the first form is the likeliest."""
    load_lemma_tables()
    table = Lemmatizer().lemma_dict if name == "lemmas" else Inflections().infl_dict
    assert isinstance(table, _WordTable), "lemminflect uses them"
    if name == "lemmas":
        whole = LemmaLUCodec.load(config.lemma_lu_fn)
    else:
        whole = InflectionLUCodec.load(config.inflection_lu_fn)
    assert len(whole) > 30_000
    assert [word for word, entry in whole.items() if list(table.get(word, {}).items()) != list(entry.items())] == []
    assert table.get("qzzing", {}) == {}
    assert table.get("", {}) == {}
