"""What a context says in one place is left out of the summaries that it shows beside it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.context.render import Block, Rendered, render
from keepsake.domain.context.repeated_statements import leave_out, normalize_statement, statements_of
from keepsake.domain.context.selection import SelectedMemory
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.sessions.rules_form import describe_session, write_rolling_summary, write_session_summary
from keepsake.domain.sessions.session_summary import LastSession, SessionSources
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import WeekSummary
from keepsake.infra.models.token_counter import load_token_counter
from tests.support.memories import NOW, memory

COUNT = load_token_counter()
OCTOBER = (
    "Felt calm (2 October) and happy (15 October). "
    "New: has a bakery (8 October); sister Adaeze is pregnant (27 October)."
)
WEEK = "2026-10-26 to 2026-11-01: New: sister Adaeze is pregnant (Tuesday). Plans: to teach Tomasi to bake."


def said(*texts: str) -> frozenset[str]:
    return frozenset(map(normalize_statement, texts))


def shown(*texts: str, budget: int = 600, doubted: bool = False, **block: Any) -> Rendered:
    chosen = [
        SelectedMemory(memory(text, doubted_at=NOW if doubted else None), 1.0, "mentions: it", None) for text in texts
    ]
    return render(Block(now=NOW, chosen=chosen, **block), COUNT, budget=budget)


@pytest.mark.parametrize(
    "text, known, left",
    [
        (WEEK, ["Sister Adaeze is pregnant"], "2026-10-26 to 2026-11-01: Plans: to teach Tomasi to bake."),
        (WEEK, ["Wants to teach Tomasi to bake"], WEEK.partition(" Plans")[0]),
        (WEEK, ["Sister Adaeze is pregnant", "Wants to teach Tomasi to bake"], ""),
        (WEEK, ["Sister Adaeze is a nurse"], WEEK),
        ("New: has a dog; likes tea; plays chess.", ["Likes tea now"], "New: has a dog; plays chess."),
        ("New: has a dog; and 3 more.", ["Has a dog"], ""),
        ("Felt calm (2 October), happy (3 October) and sad (4 October).", ["Feels happy"],
         "Felt calm (2 October) and sad (4 October)."),
        ("2026-11-20: Spoke of: “Has a dog”, “Likes tea” and “Plays chess”. People: Anna.", ["Has a dog"],
         "2026-11-20: Spoke of: “Likes tea” and “Plays chess”. People: Anna."),
        ("2026-11-20: Spoke of: “Has a dog”. People: Anna.", ["Has a dog"], ""),
        ("2026-11-20: Spoke of: “Has a dog”. Committed to: Call the dentist.", ["Has a dog"],
         "2026-11-20: Committed to: Call the dentist."),
        ("Of late: “Has a dog” (3 May) and “Likes tea” (2 May). To do: “Call Jo”.", ["Has a dog", "Call Jo"],
         "Of late: “Likes tea” (2 May)."),
        ("PROFILE: Has a dog; Lives in Graz. PEOPLE: Jo is a nurse.", ["Lives in Graz", "Jo is a nurse"],
         "PROFILE: Has a dog."),
        ("A to B: Friday 2 May: New: has a dog. Saturday 3 May: New: likes tea.", ["Has a dog"],
         "A to B: Saturday 3 May: New: likes tea."),
        ("June baked all week. She has a dog.", ["Has a dog"], "June baked all week. She has a dog."),
        ("Talked about shoes.", ["Talked about shoes"], ""),
        ("", ["Has a dog"], ""),
    ],
)  # fmt: skip
def test_leave_out__keeps_what_is_said_nowhere_else(text: str, known: list[str], left: str) -> None:
    assert leave_out(text, said(*known)) == left


@pytest.mark.parametrize(
    "text",
    [
        "No longer: lives in Graz (until 3 May).",
        "Plans that ended: to learn Greek (3 May).",
        "Changed: lives in Graz (3 May; before: Vienna).",
    ],
)
def test_leave_out__what_is_over_is_not_what_holds(text: str) -> None:
    assert leave_out(text, said("Lives in Graz", "Wants to learn Greek")) == text


def test_leave_out__knows_what_is_written_without_a_model() -> None:
    """The labels and the quotes are those of the writers."""
    day, texts = date(2026, 10, 27), ("Has a dog", "Lives in Graz", "Plays the cello, badly")
    sources = [
        SourceMemory(id=UUID(int=number), text=text, type=MemoryType.FACT, subtype=Subtype.OTHER, importance=1, day=day)
        for number, text in enumerate(texts)
    ]
    week = write_summary(Level.WEEK, SummarySources(begun=sources))
    assert isinstance(week, WeekSummary)
    session = write_session_summary(SessionSources(sources))
    assert session is not None
    last = describe_session(LastSession(datetime(2026, 10, 27, tzinfo=UTC), session), NOW, 800)
    for text in (week.summary, last, write_rolling_summary(SessionSources(sources))):
        assert all(statement in statements_of(text) for statement in said(*texts))
        assert leave_out(text, said(*texts)) == ""
        assert leave_out(text, frozenset()) == text


def test_context__says_nothing_twice_of_the_period_that_is_asked_about() -> None:
    out = shown("Has a bakery", "Stopped running", period_summary=("October 2026", OCTOBER), rolling_summary=WEEK)
    assert out.context.split("\n")[5:-1] == [
        f'Summary of October 2026: "{OCTOBER}"',
        'Recently: "2026-10-26 to 2026-11-01: Plans: to teach Tomasi to bake."',
        next(line for line in out.context.split("\n") if "Stopped running" in line),
    ]
    assert len(out.memory_ids) == 2, "the summary uses the other memory"


def test_context__a_doubted_memory_is_listed_with_its_doubt() -> None:
    out = shown("Has a bakery", doubted=True, period_summary=("October 2026", OCTOBER))
    assert "may no longer hold" in out.context


def test_context__a_summary_that_does_not_fit_leaves_nothing_out() -> None:
    out = shown("Has a bakery", budget=110, period_summary=("October 2026", OCTOBER * 6))
    assert "Summary of" not in out.context
    assert '"Has a bakery"' in out.context


def test_context__summaries_do_not_repeat_each_other_nor_the_memories() -> None:
    out = shown(
        "Has a dog",
        last_session="2026-11-20: Spoke of: “Has a dog” and “Likes tea”.",
        spine="PROFILE: Has a dog; Likes tea; Plays chess.",
        rolling_summary="Of late: “Likes tea” (20 November).",
    )
    assert out.context.split("\n")[5:-2] == [
        'Last session: "2026-11-20: Spoke of: “Likes tea”."',
        'Long-term: "PROFILE: Plays chess."',
    ]
