"""The history of the days before, the merged context, and the keys under which both are kept."""

from __future__ import annotations

import json
from datetime import date
from uuid import UUID

from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.merged_context import ContextInputs, Fact, build_context_prompt
from keepsake.domain.summaries.six_day_history import (
    MAX_HISTORY,
    HistorySources,
    PastDay,
    build_history_prompt,
    history_dates,
    write_history,
)

ONE, TWO = UUID(int=1), UUID(int=2)
ADA = Author("Ada")
TODAY = date(2024, 10, 14)
DAYS = HistorySources(
    date(2024, 10, 8),
    date(2024, 10, 13),
    [
        PastDay(ONE, date(2024, 10, 9), "Felt tired.", [ONE]),
        PastDay(TWO, date(2024, 10, 12), "New: a dog.", [ONE, TWO]),
    ],
)
INPUTS = ContextInputs([Fact(ONE, "Lives in Graz", TODAY)], "New: a dog.", "Felt tired.", [TWO])


def test_history__is_of_days_two_to_seven() -> None:
    assert history_dates(date(2024, 1, 15)) == (date(2024, 1, 9), date(2024, 1, 14))


def test_history_by_rules__names_each_day() -> None:
    assert write_history(DAYS).text == "Wednesday 9 October: Felt tired. Saturday 12 October: New: a dog."
    assert DAYS.memory_ids == [ONE, TWO]


def test_history_of_short_days__needs_no_model() -> None:
    assert DAYS.is_short
    long = [PastDay(ONE, date(2024, 10, day), "word " * 60) for day in range(8, 14)]
    assert not HistorySources(DAYS.start, DAYS.end, long).is_short


def test_history_of_days_a_little_longer__tells_them_whole() -> None:
    days = [PastDay(ONE, date(2024, 10, day), ("Walked the dog. " * 12).strip()) for day in (9, 10, 12)]
    told = write_history(HistorySources(DAYS.start, DAYS.end, days)).text
    assert len(told) > MAX_HISTORY
    assert told.count("Walked the dog.") == 36


def test_history_by_rules__is_within_its_length() -> None:
    long = [PastDay(ONE, date(2024, 10, day), "word " * 60) for day in range(8, 14)]
    assert 400 < len(write_history(HistorySources(DAYS.start, DAYS.end, long)).text) <= MAX_HISTORY


def test_history_prompt__has_the_days_with_their_dates() -> None:
    system, data = (
        message["content"] for message in build_history_prompt(DAYS, ADA).build_messages(schema_in_prompt=False)
    )
    assert "again and again" in system
    assert json.loads(data.split("\n")[1]) == {
        "person": "Ada",
        "texts": [
            {"n": 1, "kind": "day", "day": "Wednesday 9 October 2024", "text": "Felt tired."},
            {"n": 2, "kind": "day", "day": "Saturday 12 October 2024", "text": "New: a dog."},
        ],
    }


def test_context_prompt__says_that_the_newer_statement_wins() -> None:
    system, data = (
        message["content"]
        for message in build_context_prompt(INPUTS, TODAY, None).build_messages(schema_in_prompt=False)
    )
    assert "Leave out what a later text contradicts or cancels" in system
    assert json.loads(data.split("\n")[1]) == {
        "today": "Monday 14 October 2024",
        "texts": [
            {"n": 1, "day": "Monday 14 October 2024", "text": "Lives in Graz"},
            {"n": 2, "kind": "history", "day": "the days before", "text": "Felt tired."},
            {"n": 3, "kind": "today", "day": "Monday 14 October 2024", "text": "New: a dog."},
        ],
    }


def test_key__changes_with_each_of_the_three_inputs_and_with_nothing_else() -> None:
    others = [
        ContextInputs([Fact(ONE, "Lives in Rome", TODAY)], "New: a dog.", "Felt tired."),
        ContextInputs([Fact(ONE, "Lives in Graz", TODAY)], "New: a cat.", "Felt tired."),
        ContextInputs([Fact(ONE, "Lives in Graz", TODAY)], "New: a dog.", ""),
    ]
    same = ContextInputs([Fact(TWO, "Lives in Graz", TODAY)], "New: a dog.", "Felt tired.")
    assert len({INPUTS.hashes, *(one.hashes for one in others)}) == 4
    assert same.hashes == INPUTS.hashes
    assert others[2].hashes[2] == ""


def test_context__is_merged_of_facts_and_something_of_late() -> None:
    assert INPUTS.can_be_merged
    assert not ContextInputs([Fact(ONE, "Lives in Graz", TODAY)]).can_be_merged
    assert not ContextInputs(day="New: a dog.", history="Felt tired.").can_be_merged
