"""Every use case takes its locks in the order of docs/transactions.md, and the locks which that page says.

Observed in ``pg_locks`` after each statement, so that locks of triggers and SQL functions count too. Row locks are not
listed there, but the lock on the table which comes with the first of them is.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import tuple_row

from keepsake.infra.database import Connection, Profile
from keepsake.store import locks
from keepsake.usecases.agent.agent_session import AgentCall
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.compare_yearly_patterns import compare_yearly_patterns
from keepsake.usecases.conversation_manager import set_memory_enabled
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.llm_summarizer import llm_summarizer
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.undo_operation import undo_operation
from tests.fixtures.scene import Scene
from tests.support.summaries import add_month, remember
from tests.support.transfer import bring

PAGE = (Path(__file__).parents[3] / "docs" / "transactions.md").read_text(encoding="utf-8")
TABLES = {
    "extractions": "turns",
    "user_memory_settings": "settings",
    "conversations_participants": "participation",
    "user_memory": "memories",
}
HELD = """select l.virtualtransaction, case l.locktype
    when 'relation' then (select c.relname::text from pg_class as c where c.oid = l.relation)
    else ((l.classid::bigint << 32) | l.objid::bigint)::text end
from pg_locks as l
where l.pid = pg_backend_pid() and (l.locktype = 'advisory'
  or (l.locktype = 'relation' and l.mode in ('RowShareLock', 'RowExclusiveLock')))"""
KEYS = """select hashtextextended('keepsake.erase:' || %(user)s, 0)::text as erasure,
  hashtextextended('keepsake.command:' || %(user)s || %(chat)s, 0)::text as commands,
  hashtextextended('keepsake.rate:' || %(user)s, 0)::text as rate,
  hashtextextended('keepsake.merge:' || %(user)s || %(profile)s, 0)::text as merges"""


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of the page, without its first two lines."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]]


ORDER = [row[1] for row in rows_of("Lock order")]
TAKEN = {row[0]: [name.strip() for name in re.sub(r"\(.*?\)", "", row[2]).split(",")] for row in rows_of("Use cases")}


class Observed:
    """The locks of each transaction, in the order in which it came to hold them."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.transactions: dict[str, list[str]] = {}
        self._seen: dict[str, set[str]] = {}

    def note(self, held: list[tuple[str, str]], *, inserts: bool) -> None:
        """Take down what is held after a statement; what one statement adds counts as taken in the order.

        A statement that inserts locks the participation by its foreign key only: nothing but a deletion waits for it.
        """
        for transaction in {transaction for transaction, _ in held}:
            taken = self.transactions.setdefault(transaction, [])
            seen = self._seen.setdefault(transaction, set())
            found = {self.names[lock] for _, lock in held if lock in self.names} - seen
            seen |= found
            taken += sorted(found - ({"participation"} if inserts else set()), key=ORDER.index)

    @property
    def fullest(self) -> list[str]:
        """The locks of the transaction that took most."""
        return max(self.transactions.values(), key=len, default=[])

    @property
    def faults(self) -> list[list[str]]:
        """What was not taken in the order."""
        return [taken for taken in self.transactions.values() if taken != sorted(taken, key=ORDER.index)]


@pytest.fixture
def observed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Observed:
    """Looks at the locks of the functions' own connections after each of their statements."""
    given = {"user": str(scene.ada.user_id), "chat": str(scene.chat), "profile": str(scene.ada.profile_id)}
    keys = {key: name for name, key in scene.db.one(KEYS, given).items()}
    log, execute = Observed(TABLES | keys), psycopg.AsyncCursor.execute

    async def looked_at(self: psycopg.AsyncCursor[Any], *given: Any, **more: Any) -> Any:
        done = await execute(self, *given, **more)
        if isinstance(self.connection, Connection):
            probe = psycopg.AsyncCursor(self.connection, row_factory=tuple_row)
            held = await (await execute(probe, HELD)).fetchall()
            log.note(held, inserts="insert into" in str(given[0]))
        return done

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", looked_at)
    return log


async def extract(scene: Scene) -> None:
    """A turn that makes a memory, and one that replaces it."""
    await scene.tell("I live in Graz.")
    await scene.tell("I moved to Vienna.")


async def command(scene: Scene) -> None:
    """Commands that remember and forget; the webhook carries them out."""
    await scene.tell("I live in Graz.")
    await scene.tell("I love ramen.")
    for line in ("Remember that I moved to Vienna.", "Remember this.", "Forget that I love ramen."):
        scene.clock.advance(minutes=1)
        await chat_send(scene.resources, conversation_id=scene.chat, message_id=scene.says(line))


async def deliver(scene: Scene) -> None:
    """A message that is no command."""
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=scene.says("I live in Graz."))


async def inject(scene: Scene) -> None:
    """A context that uses a memory."""
    scene.people.memory(scene.ada, "Loves ramen")
    await inject_memory(scene.resources, ContextRequest(scene.chat, scene.says("What about ramen?")))


async def use_tool(scene: Scene) -> None:
    """What an agent may do."""
    agent = AgentCall(user_id=scene.ada.user_id, conversation_id=scene.chat)
    for call in (
        ToolCall("add_fact", content="The user lives in Graz."),
        ToolCall("add_fact", content="The user loves ramen."),
        ToolCall("forget", subject="Graz"),
        ToolCall("get_memory"),
    ):
        await execute_tool_call(scene.resources, agent, call)


async def erase(scene: Scene) -> None:
    """A turn with its memory, and everything."""
    await scene.tell("I live in Graz.")
    scene.says("I love ramen.")
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))


async def import_rows(scene: Scene) -> None:
    """Two memories from a file."""
    await bring(scene, [{"memory_text": "Likes ramen"}, {"memory_text": "Knows Ann"}])


async def undo(scene: Scene) -> None:
    """Two memories from a file, which are taken back."""
    report = await bring(scene, [{"memory_text": "Likes ramen"}, {"memory_text": "Knows Ann"}])
    assert report.operation_id
    await undo_operation(scene.resources, scene.ada.identity, report.operation_id)


async def archive(scene: Scene) -> None:
    """A crowded profile, folded; and what has had its time."""
    long_ago = scene.clock.now() - timedelta(days=90)
    for number in range(120):
        scene.people.memory(
            scene.ada,
            f"Likes dish{number}",
            memory_key=f"fact|person|self|likes|dish{number}",
            value="like",
            subtype="preference",
            source="rule_extraction",
            confidence_score=0.7,
            created_at=long_ago,
            valid_from=long_ago,
        )
    await archive_old_memories(scene.resources, max_seconds=60)


async def choose(scene: Scene) -> None:
    """To be remembered no longer."""
    await set_memory_enabled(scene.resources, scene.ada.identity, conversation_id=scene.chat, memory_enabled=False)


async def catch_up(scene: Scene) -> None:
    """A turn whose webhook was lost."""
    scene.says("I live in Graz.")
    scene.clock.advance(minutes=10)
    await run_due_jobs(scene.resources, max_seconds=0)


async def summarize_days(scene: Scene) -> None:
    """A day that is over."""
    remember(scene, "2024-10-31", "Lives in Graz")
    await generate_daily_summaries(scene.resources, max_seconds=300)


async def summarize_weeks(scene: Scene) -> None:
    """A week that is over."""
    remember(scene, "2024-10-31", "Lives in Graz")
    await generate_weekly_summaries(scene.resources, max_seconds=300)


async def summarize_months(scene: Scene) -> None:
    """A month that is over."""
    remember(scene, "2024-10-31", "Lives in Graz")
    await generate_monthly_summaries(scene.resources, max_seconds=300)


async def summarize_conversation(scene: Scene) -> None:
    """A conversation with one turn that has been extracted."""
    scene.db.run(
        "insert into keepsake.extractions (conversation_id, source_message_id, user_id, status)"
        " values (%s, %s, %s, 'extracted')",
        (scene.chat, scene.says("I live in Graz."), scene.ada.user_id),
    )
    await llm_summarizer(scene.resources, conversation_id=scene.chat)


async def compare_months(scene: Scene) -> None:
    """A month of two years."""
    for year in (2023, 2024):
        add_month(scene, year, ["running"])
    await compare_yearly_patterns(scene.resources, user_id=scene.ada.user_id)


RUNS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "extract_user_memory": extract,
    "chat_send": deliver,
    "chat commands": command,
    "inject_memory": inject,
    "manage_user_memory": use_tool,
    "erase_memories": erase,
    "import_memories": import_rows,
    "undo_operation": undo,
    "archive_old_memories": archive,
    "conversation_manager": choose,
    "run_due_jobs": catch_up,
    "llm_summarizer": summarize_conversation,
    "compare_yearly_patterns": compare_months,
    "generate_daily_summaries": summarize_days,
    "generate_weekly_summaries": summarize_weeks,
    "generate_monthly_summaries": summarize_months,
}


@pytest.mark.parametrize("name", RUNS)
async def test_a_use_case__takes_the_locks_of_the_page_in_their_order(
    scene: Scene, observed: Observed, name: str
) -> None:
    await RUNS[name](scene)
    assert not observed.faults
    assert observed.fullest == TAKEN[name]


def test_the_page__lists_every_use_case_and_each_in_the_order() -> None:
    assert TAKEN.keys() == RUNS.keys()
    for taken in TAKEN.values():
        assert taken == sorted(taken, key=ORDER.index)


async def test_a_planted_wrong_order__is_found(scene: Scene, observed: Observed) -> None:
    """The check above can fail."""
    async with scene.resources.database.as_service(Profile.LOCKING) as conn:
        await locks.lock_profile(conn, user_id=scene.ada.user_id, profile_id=scene.ada.profile_id)
        await locks.lock_out_erasure(conn, user_id=scene.ada.user_id)
    assert observed.faults == [["merges", "erasure"]]
