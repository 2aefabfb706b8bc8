"""The indefinite article follows the sound of a word, not its first letter."""

from __future__ import annotations

import pytest

from keepsake.domain.english.third_person import with_article


@pytest.mark.parametrize(
    "text",
    [
        *(
            "an apple",
            "an uncle",
            "an hour",
            "an honest friend",
            "an Irish nurse",
            "an unimportant job",
            "an Uber driver",
        ),
        *(
            "a user",
            "a university student",
            "a European",
            "a one-off",
            "a Ukrainian",
            "a UK citizen",
            "a nurse",
            "a house",
        ),
    ],
)
def test_article__follows_the_sound(text: str) -> None:
    assert with_article(text.partition(" ")[2]) == text
