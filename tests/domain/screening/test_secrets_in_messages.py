"""Secrets as people type them into a chat: none becomes a memory, however the sentence is cut."""

from __future__ import annotations

import pytest

from keepsake.domain.memory import Candidate
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import read_statement
from keepsake.domain.screening.screen import Dropped, screen
from keepsake.domain.screening.secret_detection import find_secrets


def kept(said: str) -> list[str]:
    """What would be stored of a message."""
    verdicts = (screen(candidate, message=said) for candidate in extract(said))
    return [verdict.text for verdict in verdicts if isinstance(verdict, Candidate)]


@pytest.mark.parametrize(
    "said",
    [
        "My favourite password is Maresia-7719-azul.",
        "I like my new password, Maresia-7719-azul.",
        "I always use Maresia-7719-azul as my password.",
        "I always use hunterkiller as my wifi password.",
        "I always use 4921 as my PIN.",
        "I have a dog named Biscuit7719 and Biscuit7719 is my password.",
        "I always pay with my card 4000 0566 5566 5556.",
        "I prefer paying by card, 4000-0566-5566-5556.",
        "I have a dog named Rexy99, which is also my password.",
        "I love hunter2, that's my password.",
        "My favourite number is 4921, it's my PIN.",
        "I prefer to log in with nora / Maresia-7719-azul.",
        "I always log in with Maresia-7719-azul.",
    ],
)
def test_screen__a_secret_is_dropped_wherever_it_was_cut_off(said: str) -> None:
    assert kept(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "it's Winter2023# for now",
        "new one: Mango!Tree55",
        "I just keep Berlin1989! everywhere",
        "try Rosebud_41!",
        "30012345 is our bank account number",
        "hey, 7788123456 is our customer account number btw",
        "logged in using Crow88nest",
        "my log in is frank12 and password1x",
        "kod jest 8812",
    ],
)
def test_find_secrets__a_secret_in_a_few_words_is_one(said: str) -> None:
    """The classifier has seen none of them: only a pattern finds these."""
    assert find_secrets(said)


def test_screen__what_the_message_calls_a_secret_is_one_without_its_name() -> None:
    said = "I always use Maresia-azul as my password."
    candidate = read_statement("I always use Maresia-azul.")
    assert candidate is not None
    assert isinstance(screen(candidate), Candidate), "by itself it looks harmless"
    assert screen(candidate, message=said) == Dropped("secret")


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("My password is Maresia-7719-azul. I live in Lisbon.", ["Lives in Lisbon"]),
        ("My password stopped working in 2019. I live in Lisbon.", ["Lives in Lisbon"]),
    ],
)
def test_screen__what_stands_beside_a_secret_is_kept(said: str, remembered: list[str]) -> None:
    assert kept(said) == remembered


def test_find_secrets__points_at_the_secret_and_not_at_its_name() -> None:
    said = "my password is Maresia-7719-azul"
    assert {said[secret.start : secret.end] for secret in find_secrets(said)} == {"Maresia-7719-azul"}


@pytest.mark.parametrize("spoken", ["six zero six two", "forty two eleven five", "double one zero nine twenty"])
def test_find_secrets__a_code_may_be_spelled_in_words(spoken: str) -> None:
    assert find_secrets(f"the gate, {spoken}")
    assert find_secrets(f"she counted {spoken}") == ()


@pytest.mark.parametrize(
    "text",
    [
        "[6:59 pm on 5 July, 2023] Maria: Stay safe. Chat soon!",
        "I noticed a pin on your purse. Is Spider-Man your favorite?",
        "[March-15-2024] I have not asked for an API key yet",
        "The door code of the office was changed on March 12, 2024",
        "Thinks that Netflix is too expensive for the account at $15.99/month",
        "Chrome v112.0.5615 forgot the password on the laptop",
        "const apiKey = 'YOUR_API_KEY_HERE';",
        "const apiKey = process.env.WEATHER_API_KEY;",
    ],
)
def test_find_secrets__finds_none_in_a_date_a_price_a_version_or_a_placeholder(text: str) -> None:
    assert find_secrets(text) == ()


def test_find_secrets__a_date_that_is_called_the_password_is_one() -> None:
    assert find_secrets("My password is March-15-2024")


@pytest.mark.parametrize("mention", ["<@9b2e7f6a-5d0c-4b8e-9a3f-1c2d3e4f5a6b>", "<@!738201946650183746>"])
def test_a_mention__is_no_secret_and_hides_none(mention: str) -> None:
    assert find_secrets(f"Is {mention} here?") == ()
    assert find_secrets(f"{mention}, my password is Maresia-7719-azul.")


def test_a_value__is_no_sentence_that_tells_a_secret() -> None:
    assert kept("My favourite food is canary00 soup.") == ["Favorite food is canary00 soup"]
