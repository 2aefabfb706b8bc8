"""Statements of a model from short sentences of other languages, from two languages in one message, and of names."""

from __future__ import annotations

import json

import pytest

from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_reply import read_reply


def stored(message: str, text: str, quote: str, language: str) -> list[str]:
    member = {"type": "fact", "text": text, "quote": quote, "language": language, "about": "self"}
    reply = json.dumps({"memories": [member]}, ensure_ascii=False)
    return [one.text for one in read_reply(reply, GroundingSources(message)).candidates]


@pytest.mark.parametrize(
    "said, text, language",
    [
        ("Am două pisici.", "Are două pisici", "ro"), ("Am o soră.", "Are o soră", "ro"),
        ("Is mise Niamh.", "Is Niamh", "ga"), ("Will ein Haus bauen.", "Will ein Haus bauen", "de"),
        ("Can iki kedim var.", "İki kedisi var", "tr"), ("Do kota mám slabost.", "Má slabost do kota", "cs"),
        ("Are pisici doi copii.", "Are doi copii", "ro"), ("Am un câine bătrân.", "Are un câine bătrân", "ro"),
        ("Was ich mag: Kaffee ohne Zucker.", "Mag Kaffee ohne Zucker", "de"),
        ("Do pracy jeżdżę rowerem.", "Do pracy jeździ rowerem", "pl"),
    ],
)  # fmt: skip
def test_sentence_that_begins_like_an_english_question__is_kept(said: str, text: str, language: str) -> None:
    assert stored(said, text, said, language) == [text]


@pytest.mark.parametrize(
    "said, text, language",
    [
        ("Am un câine?", "Are un câine", "ro"), ("Is dit jouw kat?", "Heeft een kat", "nl"),
        ("Am două pisici.", "Locuiește în Cluj", "ro"), ("Am I a good cook?", "Is a good cook", "en"),
        ("Do I have two cats?", "Has two cats", "en"), ("Can I get a dog", "Has a dog", "en"),
        ("If I lived in Riga, I would sing.", "Lives in Riga", "en"), ("Is my cat old", "Has an old cat", "en"),
        ("> Am două pisici.\nDa?", "Are două pisici", "ro"), ("Will I ever have two cats", "Has two cats", "en"),
    ],
)  # fmt: skip
def test_question_in_any_language__states_nothing(said: str, text: str, language: str) -> None:
    assert stored(said, text, said.splitlines()[0].removeprefix("> "), language) == []


@pytest.mark.parametrize(
    "said, text, quote, language",
    [
        ("J'habite à Lyon but I work in Geneva.", "Habite à Lyon", "", "fr"),
        ("J'habite à Lyon but I work in Geneva.", "Works in Geneva", "I work in Geneva", "en"),
        ("Ich wohne in Graz but my office is in Vienna.", "Wohnt in Graz", "Ich wohne in Graz", "de"),
        ("Trabajo en Sevilla and I love it.", "Trabaja en Sevilla", "Trabajo en Sevilla", "es"),
        ("Jag bor i Lund, but I study in Malmö.", "Bor i Lund", "", "sv"),
        ("I study in Malmö, ich habe zwei Katzen.", "Hat zwei Katzen", "ich habe zwei Katzen", "de"),
        ("I'm new here, mam dwa koty.", "Ma dwa koty", "mam dwa koty", "pl"),
        ("Sono medico and I really love my work.", "È medico", "Sono medico", "it"),
        ("My week was long. Ik heb twee honden.", "Heeft twee honden", "Ik heb twee honden", "nl"),
        ("I moved last year, olen opettaja.", "On opettaja", "olen opettaja", "fi"),
    ],
)
def test_two_languages_in_one_message__are_each_read_in_their_own(
    said: str, text: str, quote: str, language: str
) -> None:
    assert stored(said, text, quote or said, language) == [text]


@pytest.mark.parametrize(
    "said, text, quote, language",
    [
        ("J'habite à Lyon but I work in Geneva.", "Works as a surgeon", "I work in Geneva", "en"),
        ("J'habite à Lyon but my boss works in Geneva.", "Works in Geneva", "my boss works in Geneva", "en"),
        ("Ich wohne in Graz but my sister lives in Vienna.", "Lives in Vienna", "my sister lives in Vienna", "en"),
        ("I study in Malmö, ich habe zwei Katzen.", "Hat eine Schwester", "ich habe zwei Katzen", "de"),
        ("I study in Malmö, ich habe zwei Katzen.", "Studies medicine in Malmö", "I study in Malmö", "en"),
        ("I moved last year, olen opettaja.", "Moved to a house last year", "I moved last year", "en"),
        ("Sono medico and I do not smoke.", "Smokes cigars", "I do not smoke", "en"),
        ("Jag bor i Lund, and my wife paints.", "Paints", "my wife paints", "en"),
        ("My week was long. Ik heb twee honden.", "Had a holiday week", "My week was long", "en"),
        ("I moved last year, olen opettaja.", "Moved to Helsinki last year", "I moved last year", "en"),
    ],
)
def test_english_beside_another_language__is_still_compared_word_for_word(
    said: str, text: str, quote: str, language: str
) -> None:
    assert stored(said, text, quote, language) == []


@pytest.mark.parametrize(
    "said, name",
    [
        ("Good morning Felix, this is Greta again!", "Greta"), ("Hi, this is Marta speaking.", "Marta"),
        ("Hey, it's Tom here.", "Tom"), ("Hello, it's Ingrid Moe calling.", "Ingrid Moe"),
        ("Ok, this is Priya again.", "Priya"), ("Hi there, this is Joel writing.", "Joel"),
        ("Its Dana here!", "Dana"), ("Evening! This is Noor again, sorry.", "Noor"),
        ("Yes, it's Oleg speaking.", "Oleg"), ("This is Ana Lima here.", "Ana Lima"),
    ],
)  # fmt: skip
def test_author_who_says_who_they_are__has_that_name(said: str, name: str) -> None:
    assert stored(said, f"Name is {name}", said, "en") == [f"Name is {name}"]


@pytest.mark.parametrize(
    "said, text",
    [
        ("This is Bruno, my dog.", "Name is Bruno"), ("This is my dog Bruno again!", "Name is Bruno"),
        ("Hello, this is my sister Greta speaking.", "Name is Greta"),
        ("It's Paris here again, so lovely.", "Lives in Paris"), ("Hi, is this Greta speaking?", "Name is Greta"),
        ("This is Felix.", "Name is Felix"), ("It's Monday again.", "Is a Monday person"),
        ("Hi Greta, this is Tom again.", "Name is Greta"), ("She said this is Greta again.", "Loves Greta"),
        ("It's raining here again.", "Loves rain here"),
    ],
)  # fmt: skip
def test_name_of_somebody_else__is_not_the_author_s(said: str, text: str) -> None:
    assert stored(said, text, said, "en") == []
