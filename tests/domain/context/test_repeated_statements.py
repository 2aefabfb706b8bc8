"""What a context says in one place is left out of the summaries that it shows beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.context.block import Block
from keepsake.domain.context.outline import Item, Outline, Role, Sentence
from keepsake.domain.context.render import Rendered, render
from keepsake.domain.context.repeated_statements import leave_out, normalize_statement, statements_of
from keepsake.domain.context.selection import SelectedMemory
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.sessions.rules_form import describe_session, write_session_summary
from keepsake.domain.sessions.session_summary import LastSession, SessionSources, SessionSummary
from keepsake.domain.sessions.spine import StoredItem, describe_spine
from keepsake.domain.summaries.compose_sentences import compose, enumeration, listing, names, series
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.infra.models.token_counter import load_token_counter
from tests.support.memories import NOW, memory

COUNT = load_token_counter()
OCTOBER = Outline(
    [
        enumeration("Felt", [Item("calm (2 October)", "calm"), Item("happy (15 October)", "happy")]),
        series("New:", [
            Item("has a bakery (8 October)", "Has a bakery"),
            Item("sister Adaeze is pregnant (27 October)", "Sister Adaeze is pregnant"),
        ]),
    ]
)  # fmt: skip


def said(*texts: str) -> frozenset[str]:
    return frozenset(map(normalize_statement, texts))


def shown(*texts: str, budget: int = 600, doubted: bool = False, **block: Any) -> Rendered:
    chosen = [
        SelectedMemory(memory(text, doubted_at=NOW if doubted else None), 1.0, "mentions: it", None) for text in texts
    ]
    return render(Block(now=NOW, chosen=chosen, **block), COUNT, budget=budget)


def week(*statements: str, plans: Sequence[str] = ()) -> Outline:
    """The newest week, in which this was said and planned on its Tuesday."""
    sentences = [
        series("New:", [Item(f"{text[:1].lower()}{text[1:]} (Tuesday)", text) for text in statements]),
        series("Plans:", [Item(text.removeprefix("Wants "), text) for text in plans]),
    ]
    return replace(compose(sentences, 800), heading="2026-10-26 to 2026-11-01:")


NEW, PLAN = "Sister Adaeze is pregnant", "Wants to teach Tomasi to bake"
WEEK = week(NEW, plans=[PLAN])
DOG, TEA, CHESS = (Item(f"“{text}”", text) for text in ("Has a dog", "Likes tea", "Plays chess"))
PEOPLE = names("People", ["Anna"])


@pytest.mark.parametrize(
    "outline, known, left",
    [
        (WEEK, [NEW], "2026-10-26 to 2026-11-01: Plans: to teach Tomasi to bake."),
        (WEEK, [PLAN], "2026-10-26 to 2026-11-01: New: sister Adaeze is pregnant (Tuesday)."),
        (WEEK, [NEW, PLAN], None),
        (WEEK, ["Sister Adaeze is a nurse"], WEEK.text),
        (Outline([series("New:", ["has a dog", "likes tea", "plays chess"])]), ["Likes tea now"],
         "New: has a dog; plays chess."),
        (Outline([Sentence("New:", [DOG], more=3)]), ["Has a dog"], None),
        (Outline([enumeration("Felt", ["calm", "happy", "sad"])]), ["Feels happy"], "Felt calm and sad."),
        (Outline([listing("Spoke of", [DOG, TEA, CHESS]), PEOPLE]), ["Has a dog"],
         "Spoke of: “Likes tea” and “Plays chess”. People: Anna."),
        (Outline([listing("Spoke of", [DOG]), PEOPLE]), ["Has a dog"], None),
        (Outline(parts=[Outline([series("New:", [DOG])], "Friday:"), Outline([series("New:", [TEA])], "Saturday:")]),
         ["Has a dog"], "Saturday: New: “Likes tea”."),
        (Outline.of_text("June baked all week. She has a dog."), ["Has a dog"], "June baked all week. She has a dog."),
        (Outline.of_text("Talked about shoes."), ["Talked about shoes"], None),
        (Outline.of_text(""), ["Has a dog"], None),
    ],
)  # fmt: skip
def test_leave_out__keeps_what_is_said_nowhere_else(outline: Outline, known: list[str], left: str | None) -> None:
    found = leave_out(outline, said(*known))
    assert (None if found is None else found.text) == left


def test_leave_out__what_is_over_is_not_what_holds() -> None:
    over = series("No longer:", [Item("lives in Graz (until 3 May)", "Lives in Graz")], Role.OVER)
    change = series("Changed:", [Item("lives in Graz (3 May; before: Vienna)", "Lives in Graz")], Role.CHANGED)
    outline = Outline([over, change])
    for known, left in ((said("Lives in Graz"), outline.text), (statements_of(outline), over.text)):
        found = leave_out(outline, known)
        assert found is not None
        assert found.text == left, "the same change is said once"


def test_outlines__of_what_is_written_without_a_model_say_each_memory() -> None:
    day, texts = date(2026, 10, 27), ("Has a dog; and a cat", "Lives in Graz (Austria)", "Plays the cello, badly")
    sources = [
        SourceMemory(id=UUID(int=number), text=text, type=MemoryType.FACT, subtype=Subtype.OTHER, importance=1, day=day)
        for number, text in enumerate(texts)
    ]
    written = write_summary(Level.WEEK, SummarySources(begun=sources))
    session = write_session_summary(SessionSources(sources))
    assert session is not None
    last = describe_session(LastSession(datetime(2026, 10, 27, tzinfo=UTC), session), NOW, 800)
    for outline in (written.outlines["summary"], last):
        assert said(*texts) <= statements_of(outline)
        assert leave_out(outline, said(*texts)) is None
        assert leave_out(outline, frozenset()) == outline
        assert Outline.read(json.loads(json.dumps(outline.stored))).text == outline.text


def test_last_session__does_not_repeat_the_open_to_dos() -> None:
    summary = SessionSummary("Spoke of: “Has a dog”.", ["Has a dog"], ["Hear back from Acme"], ["Call the dentist"])
    todos = [replace(Outline.of_text(text), heading="commitment, 2026-11-20:") for text in ("Call the dentist",)]
    out = shown(last_session=describe_session(LastSession(NOW, summary), NOW, 800), todos=todos)
    assert out.context.split("\n")[5:-1] == [
        'Last session: "2026-11-21: Spoke of: “Has a dog”. Open: Hear back from Acme."',
        'Open to-do: "commitment, 2026-11-20: Call the dentist"',
    ]


def test_context__says_nothing_twice_of_the_period_that_is_asked_about() -> None:
    out = shown("Has a bakery", "Stopped running", period_summaries=[("October 2026", OCTOBER)], rolling_summary=WEEK)
    assert out.context.split("\n")[5:-1] == [
        f'Summary of October 2026: "{OCTOBER.text}"',
        'Recently: "2026-10-26 to 2026-11-01: Plans: to teach Tomasi to bake."',
        next(line for line in out.context.split("\n") if "Stopped running" in line),
    ]
    assert len(out.memory_ids) == 2, "the summary uses the other memory"


def test_context__a_doubted_memory_is_listed_with_its_doubt() -> None:
    out = shown("Has a bakery", doubted=True, period_summaries=[("October 2026", OCTOBER)])
    assert "may no longer hold" in out.context


def test_context__a_summary_that_does_not_fit_leaves_nothing_out() -> None:
    out = shown("Has a bakery", budget=110, period_summaries=[("October 2026", Outline(parts=[OCTOBER] * 6))])
    assert "Summary of" not in out.context
    assert '"Has a bakery"' in out.context


def test_context__summaries_do_not_repeat_each_other_nor_the_memories() -> None:
    out = shown(
        "Has a dog",
        last_session=Outline([listing("Spoke of", [DOG, TEA])], "2026-11-20:"),
        spine=describe_spine([StoredItem("PROFILE", one.statement, one.statement) for one in (DOG, TEA, CHESS)], 800),
        rolling_summary=Outline([listing("Of late", [TEA])]),
    )
    assert out.context.split("\n")[5:-2] == [
        'Last session: "2026-11-20: Spoke of: “Likes tea”."',
        'Long-term: "PROFILE: Plays chess."',
    ]
