"""What a person forgot or erased is told at no level, although its messages are kept, and its neighbors are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.infra.settings import Settings
from keepsake.usecases.compare_yearly_patterns import MonthChoice, compare_yearly_patterns
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.summary_echo import echo
from tests.support.summaries import add_month

NOOR = (
    "My sister Noor lives in Faro.",
    "Noor plays the violin.",
    "I called Noor on Sunday, and we laughed a lot.",
    "Noor has a dog named Bento.",
    "Noor is a vegetarian.",
    "Noor found work at a bakery.",
    "I have to give Noor the violin back by Friday.",
    "I miss Noor.",
    "Noor's flat has a leak. The tram was late again.",
    "I want to visit Noor in June.",
)
GRAZ = (
    "I live in Graz.",
    "Graz, where I live, is quiet on Sundays.",
    "Living in Graz suits me. The bread is good here.",
)
OTHERS = (
    "My brother Karl lives in Linz.",
    "I play the cello.",
    "I work as a carpenter.",
    "I want to learn Portuguese.",
    "I love ramen.",
    "My cat is called Miso.",
    "I have to call Karl on Friday.",
)
LEVELS = {
    "conversation": "public.conversation_summaries",
    "session": "public.user_memory_session_summaries",
    "rolling": "public.user_memory_session_state",
    "spine": "public.user_memory_spine",
    "day": "public.user_memory_daily_summaries",
    "history": "public.user_memory_history_summaries",
    "context": "keepsake.context_cache",
    "week": "public.user_memory_weekly_summaries",
    "month": "public.user_memory_monthly_summaries",
    "year": "public.user_memory_yearly_comparisons",
}


@pytest.fixture(params=["scripted", None], ids=["by a model", "by rules"])
def settings(settings: Settings, model: ModelServer, request: pytest.FixtureRequest) -> Settings:
    """Rules extract, and a model that repeats everything writes every level, or rules write and quote."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_model=request.param)


@pytest.fixture
async def lived(scene: Scene, model: ModelServer) -> Scene:
    """Ada told everything in one session, and all levels are written."""
    model.script.always(echo)
    scene.clock.advance(days=-1)  # the database's own clock says when something was forgotten
    scene.people.remember_since(scene.chat, scene.ada, scene.clock.now())
    for text in (*GRAZ, *NOOR, *OTHERS):
        await scene.tell(text)
    said_on = scene.clock.now().date()
    add_month(scene, said_on.year - 1, ["carpenter"], month=said_on.month, memory_ids=[memory_id(scene, "cello")])
    await write_all(scene)
    await compare(scene, said_on)
    return scene


async def write_all(scene: Scene) -> None:
    """Everything that is due half an hour later, the next morning, and when the month is over."""
    scene.clock.advance(minutes=31)
    await run_due_jobs(scene.resources, max_seconds=300)
    scene.clock.advance(days=1)
    await generate_daily_summaries(scene.resources, max_seconds=300)
    await generate_weekly_summaries(scene.resources, max_seconds=300)
    scene.clock.advance(days=40)
    await generate_weekly_summaries(scene.resources, max_seconds=300)
    await generate_monthly_summaries(scene.resources, max_seconds=300)


async def compare(scene: Scene, said_on: date) -> None:
    """The comparison of the month with that of the year before."""
    choice = MonthChoice(said_on.year, said_on.month)
    await compare_yearly_patterns(scene.resources, user_id=scene.ada.user_id, choice=choice)


async def backfill(scene: Scene, said_on: date) -> None:
    """Write the month and all in it again, and what is made of it."""
    again = SummaryBackfill(BackfillSpan(year=said_on.year, month=said_on.month))
    for write in (generate_daily_summaries, generate_weekly_summaries, generate_monthly_summaries):
        await write(scene.resources, max_seconds=300, backfill=again)
    await run_due_jobs(scene.resources, max_seconds=300)
    await compare(scene, said_on)


def memory_id(scene: Scene, word: str) -> UUID:
    """The id of the first memory with a word."""
    found: UUID = scene.db.value(
        "select id from public.user_memory where memory_text ilike %s order by memory_no", (f"%{word}%",)
    )
    return found


def telling(scene: Scene, word: str) -> set[str]:
    """The levels in whose rows a word stands; the version before, which undo brings back, is not told."""
    found = set()
    for level, table in LEVELS.items():
        query: Any = f"select exists (select from {table} as t where (to_jsonb(t) - 'previous')::text ilike %s)"
        if scene.db.value(query, (f"%{word}%",)):
            found.add(level)
    return found


async def erase(scene: Scene, word: str) -> None:
    """Erase a subject for good."""
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject=word))


async def forget(scene: Scene, word: str) -> None:
    """Forget each memory with a word, as the panel does."""
    ids = scene.db.all("select id from public.user_memory where memory_text ilike %s", (f"%{word}%",))
    with scene.db.as_person(scene.ada.user_id) as person:
        for row in ids:
            person.execute("select public.forget_memory(%s)", (row["id"],))


async def told(scene: Scene) -> str:
    """What contexts tell: the first one, and those of questions about a day, a week and a month."""
    day = scene.db.value("select min(created_at) from public.messages").date()
    week = day.isocalendar().week
    questions = ("Hi", f"How was {day:%B %d}?", f"How was week {week}?", f"How was {day:%B}?")
    found = []
    for question in questions:
        chat = scene.people.conversation(scene.ada)
        request = ContextRequest(chat, user_id=scene.ada.user_id, user_message=question)
        found.append((await inject_memory(scene.resources, request)).context or "")
    return "\n".join(found)


@pytest.mark.parametrize("word, neighbors", [("Noor", ("tram", "Karl", "Miso")), ("Graz", ("bread", "Karl", "Noor"))])
@pytest.mark.parametrize("is_erased", [True, False])
async def test_what_is_gone__is_told_at_no_level_and_stays_out_of_what_is_written_again(
    lived: Scene, word: str, neighbors: Sequence[str], *, is_erased: bool
) -> None:
    said_on = lived.db.value("select min(created_at) from public.messages").date()
    by_model = lived.resources.settings.openai_summary_model is not None
    untold = set() if by_model else {"context", "session", "history"}  # only a model merges; rules quote little
    assert telling(lived, word) | untold == set(LEVELS)
    assert word in await told(lived)
    await (erase if is_erased else forget)(lived, word)
    assert word not in await told(lived)
    assert not is_erased or telling(lived, word) == set()
    await write_all(lived)
    await backfill(lived, said_on)
    assert telling(lived, word) == set()
    assert word not in await told(lived)
    for neighbor in neighbors if by_model else ("Karl",):
        assert {"conversation", "day", "week", "month"} <= telling(lived, neighbor), neighbor
