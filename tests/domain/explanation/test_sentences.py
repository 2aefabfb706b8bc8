"""Both languages say the same: the same sentences, with the same values in them."""

from __future__ import annotations

from string import Formatter

from keepsake.domain.explanation.sentences import load_sentences


def _values(language: str) -> dict[tuple[str, str], set[str | None]]:
    return {
        (section, name): {field for _, field, _, _ in Formatter().parse(text) if field}
        for section, sentences in load_sentences(language).items()
        for name, text in sentences.items()
    }


def test_sentences__have_the_same_values_in_both_languages() -> None:
    assert _values("en") == _values("de")
