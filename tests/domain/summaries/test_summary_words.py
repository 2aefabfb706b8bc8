"""A summary without a model has its own words in the language in which most was said."""

from __future__ import annotations

import pytest

from keepsake.domain.summaries.summary_words import words_for
from tests.usecases.summaries.test_forgotten_everywhere import GRAZ, NOOR, OTHERS

GERMAN = "Ich war gestern mit meiner Schwester am See und wir haben nicht geschwommen, weil es zu kalt für uns war. "
ENGLISH = "I was at the lake with my sister and we did not swim because it was cold. "


@pytest.mark.parametrize(
    "texts, language",
    [
        ([GERMAN * 14, *[ENGLISH] * 30], "en"),
        ([*[ENGLISH] * 30, GERMAN * 14], "en"),
        ([ENGLISH * 14, *[GERMAN] * 300], "de"),
        ([GERMAN], "de"),
        (["母が昨日病院に運ばれました。"], ""),
        (["Yes!", ""], "en"),
        ([], "en"),
    ],
)
def test_one_long_message__does_not_decide_the_language_of_a_month(texts: list[str], language: str) -> None:
    assert words_for(texts).language == language


def test_english_of_few_little_words__is_english() -> None:
    """Czech and Polish have the words a, i, to and me as well."""
    assert words_for([*GRAZ, *NOOR, *OTHERS]).language == "en"
