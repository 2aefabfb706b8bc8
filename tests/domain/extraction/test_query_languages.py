"""A message is searched with by the stems of its own language."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.query_languages import query_languages


@pytest.mark.parametrize(
    "text, locale, languages",
    [
        ("I handed in my notice today", None, ("en",)),
        ("I handed in my notice today", "de-AT", ("de", "en")),
        ("hab heut beim Regner gekündigt, der chef hat glaubt ich mach einen scherz", None, ("de", "en")),
        ("ayer renuncié a mi trabajo y mi jefe no se lo creía", "en", ("en", "es")),
        ("ok", "?", ("en",)),
    ],
)
def test_languages__are_of_the_locale_and_of_the_message(
    text: str, locale: str | None, languages: tuple[str, ...]
) -> None:
    assert query_languages(text, locale) == languages
