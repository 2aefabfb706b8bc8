"""What no rule and no clause reader takes: pieces of messages that a classifier takes for durable facts."""

from __future__ import annotations

import pytest

from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import clauses, split_clauses
from keepsake.domain.reading.statements import classified_statements
from keepsake.domain.reading.statements.classified_statements import (
    first_person_words,
    statement_features,
    statement_score,
)
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.statement_candidate import RULE
from tests.support.effort import count_calls


def classified(message: str) -> list[Candidate]:
    """The candidates of a message that are the classifier's."""
    return [candidate for candidate in extract(message) if candidate.why == RULE]


@pytest.mark.parametrize(
    "message, text",
    [
        (
            "me and Jo have been running the chip shop for six years",
            "Has been running the chip shop for six years with Jo",
        ),
        ("stationed in Cyprus until next summer, what can I stream", "Stationed in Cyprus until next summer"),
        ("eleven years as a ward sister, and now I want out", "Eleven years as a ward sister"),
        (
            "my sister Ngozi and her two boys are staying with us in Houston",
            "Sister Ngozi and her two boys are staying with them in Houston",
        ),
        ("No peanuts for my son Levi, he's allergic", "No peanuts for their son Levi"),
    ],
)
def test_extract__remembers_what_no_rule_reads(message: str, text: str) -> None:
    assert text in [candidate.text for candidate in classified(message)]


def test_extract__is_less_certain_of_it_than_of_what_a_rule_reads() -> None:
    found = {
        candidate.why == RULE: candidate for candidate in extract("I live in Leeds. eleven years as a ward sister")
    }
    assert found[True].confidence < found[False].confidence


@pytest.mark.parametrize(
    "message, importance",
    [
        ("eleven years as a ward sister, and now I want out", 2),
        ("chemo round two on Friday, what can I pack", 1),
    ],
)
def test_extract__shows_a_first_context_who_the_person_is(message: str, importance: int) -> None:
    assert [candidate.importance for candidate in classified(message)] == [importance]


@pytest.mark.parametrize(
    "message, type, subtype",
    [
        ("the twins start nursery in September, any tips?", MemoryType.RELATIONSHIP, Subtype.EVENT),
        ("chemo round two on Friday, what can I pack", MemoryType.FACT, Subtype.EVENT),
        ("eleven years as a ward sister, and now I want out", MemoryType.FACT, Subtype.IDENTITY),
    ],
)
def test_extract__takes_what_names_a_day_to_come_for_an_event(message: str, type: MemoryType, subtype: Subtype) -> None:
    assert [(one.type, one.subtype) for one in classified(message)] == [(type, subtype)]


@pytest.mark.parametrize(
    "message",
    [
        "suggest a film, i'm bored",
        "my phone died on the bus",
        "I have a bogus charge on my card",
        "a guy at the gym has eleven tattoos",
        "Meera has 3 brothers and each brother has 2 sisters. How many children are there?",
        "saw a woman walking six dogs at once",
        "I'm looking for a hotel in Lisbon",
        "use a shorter title for the report on my hens",
        "I might be running the chip shop with Jo next year",
        "if me and Jo had been running the chip shop for six years",
        "translate: me and Jo have been running the chip shop for six years",
        '"me and Jo have been running the chip shop for six years", who sings that?',
        "pretend me and Jo have been running the chip shop for six years",
        "Mi chiamo Dario e sono vegetariano.",
        "Mein Opa sammelt alte Landkarten aus Böhmen",
        "being a ward sister for eleven years must be hard",
        "it was my grandmother's rug",
        "As a project manager, select all that apply",
    ],
)
def test_extract__leaves_requests_the_moment_and_others(message: str) -> None:
    assert classified(message) == []


@pytest.mark.parametrize("around", ["{} " + "x " * 400, "int main() {{ return 0; }} {}", "a\nb\nc\nd\n{}"])
def test_extract__leaves_long_texts_code_and_lists_to_the_rules(around: str) -> None:
    """They are mostly pasted."""
    assert classified("eleven years as a ward sister")
    assert classified(around.format("eleven years as a ward sister")) == []


def test_classified_statements__repeats_nothing_that_was_read() -> None:
    message = "I live in Leeds, and eleven years as a ward sister"
    assert [candidate.text for candidate in extract(message)].count("Lives in Leeds") == 1


@pytest.mark.parametrize(
    "words, expected",
    [
        ("been on the ferries for 20 years", "I have been on the ferries for 20 years"),
        ("saving for a loft", "I am saving for a loft"),
        ("since my stroke I type with one hand", "I type with one hand since my stroke"),
        ("my sister Meher she just had a girl", "my sister Meher just had a girl"),
        ("yaar my flatmate snores", "my flatmate snores"),
        ("anybody reporting to me gets a call", "anybody reporting to me gets a call"),
        ("as a partner in a tax practice", "I am a partner in a tax practice"),
        ("booked the ferry to Bilbao", "I booked the ferry to Bilbao"),
        ("it is cold", None),
        ("surprise me with a film", None),
        ("need a gift for my cousin", None),
        ("arsenal forever please do not suggest a spurs shirt", None),
        ("being a nurse must be hard", None),
    ],
)
def test_first_person_words__completes_a_piece(words: str, expected: str | None) -> None:
    assert first_person_words(words) == expected


@pytest.mark.parametrize(
    "message, pieces",
    [
        ("me and Jo fish, and we sing", ["me and Jo fish", "we sing"]),
        ("I am 1,92 and 104 kg", ["I am 1,92 and 104 kg"]),
        ("Jo is 79, alone in Porto", ["Jo is 79, alone in Porto"]),
        ("in my free time, I whittle", ["in my free time, I whittle"]),
        ("sous chef what should I cook", ["sous chef", "what should I cook"]),
    ],
)
def test_statement_pieces__cuts_where_a_clause_of_its_own_begins(message: str, pieces: list[str]) -> None:
    assert [piece.said for piece in split_clauses(message)] == pieces


def test_statement_pieces__marks_what_asks_and_what_is_hedged() -> None:
    pieces = split_clauses("I keep bees, I think, and what do they eat in winter?")
    assert [(piece.said, piece.asks, piece.is_hedged) for piece in pieces if piece.said != "I think"] == [
        ("I keep bees", False, True),
        ("what do they eat in winter", True, False),
    ]


def test_statement_score__is_the_sum_of_the_weights_of_its_features(monkeypatch: pytest.MonkeyPatch) -> None:
    (piece,) = split_clauses("eleven years as a ward sister")
    assert {"ward", "ward_sister", "in relations", "first", "last"} <= set(statement_features(piece))
    weights = {"^": 1.0, "ward_sister": 0.5, "never there": 9.0}
    monkeypatch.setattr("keepsake.domain.reading.statements.classified_statements.load_weights", lambda _: weights)
    assert statement_score(piece) == pytest.approx(1.5)


@pytest.mark.parametrize("unit", ["my hens and i ", "i am so and i ", "since my a "])
def test_classified_statements__take_no_more_work_than_their_text_is_long(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classified_statements, "_MAX_LENGTH", 100_000)

    def read(text: str) -> object:
        return list(classified_statements.classified_statements(text, clauses(text), []))

    short, long = (count_calls(read, (unit * length)[:length]) for length in (2_000, 8_000))
    assert short < long < 20 * short
