"""Which messages are said in confidence."""

import pytest

from keepsake.domain.extraction.persona_scope import is_private_to_persona


@pytest.mark.parametrize(
    "said",
    [
        "just between us, I hate my job",
        "Between you and me I have a crush on Layla",
        "I hate my job. This stays between us.",
        "I hate my job (between us)",
        "I might quit, between you and me.",
        "ok so between us: I smoke",
        "For your ears only: I smoke",
    ],
)
def test_confidential_message__is_private_to_the_persona(said: str) -> None:
    assert is_private_to_persona(said)


@pytest.mark.parametrize(
    "said",
    [
        "Things are weird between us since the move",
        "Between us we have three kids",
        "There is a big age gap between us",
        "The difference between you and me is that I like rain",
        "I split the bill between us",
    ],
)
def test_other_uses_of_the_words__are_not_confidential(said: str) -> None:
    assert not is_private_to_persona(said)
