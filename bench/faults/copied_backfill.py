"""Kills ``keepsake backfill --all`` over copied chats, and compares what is remembered with a run that nobody killed.

The application has tables of its own (chatbot-ui's), in which so many people have said so many things in the last
months; it adopts Keepsake, everybody agrees with all that they said, and the command is killed (SIGKILL) at random
moments, spread over the messages, and started again at once. What a killed run had claimed is read once the claim is
stale: at the end the command runs with its clock ahead. Exit code 1 where a memory, or the end of a message, is another
than without kills, or an invariant of the data does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_OID, UUID, uuid5

from bench.harness.adopted_server import adopted_server
from bench.harness.fault_stage import LaterClock, kill_tree
from bench.harness.serving import process_environment
from bench.harness.stage import SECRET_KEY, Stage
from bench.harness.timing import machine, show
from bench.harness.traffic import cpu_seconds, statements, violations
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from tests.fixtures.db import Clone
from tests.operations.layouts import LAYOUTS

_STALE = timedelta(hours=1)
_ENDED = "select count(*) from keepsake.extractions where status not in ('pending', 'claimed')"
_MEMORIES = """
select m.user_id, m.memory_text, m.memory_type::text, m.memory_key, m.value, m.status::text, m.valid_from, m.valid_to,
  m.source_message_id
from public.user_memory as m
"""
_ENDS = "select source_message_id, status, reason from keepsake.extractions"
Results = tuple[Counter[tuple[object, ...]], Counter[tuple[object, ...]]]
"""The memories, and how each message ended."""


def _fill(db: Clone, people: int, messages: int) -> None:
    """Let everybody say the same in each run: the ids and times too are the same."""
    started = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(days=200)
    with db.as_owner() as owner, owner.cursor() as cursor:
        persons = [uuid5(NAMESPACE_OID, f"person {number}") for number in range(people)]
        cursor.executemany("insert into auth.users (id) values (%s)", [(person,) for person in persons])
        chats = [(_chat(person), person) for person in persons]
        cursor.executemany("insert into public.chats (id, user_id, name) values (%s, %s, 'Chat')", chats)
        rows = []
        for number, text in enumerate(statements(messages)):
            person, said = persons[number % people], started + timedelta(minutes=number)
            rows.append((uuid5(NAMESPACE_OID, f"message {number}"), _chat(person), person, text, said))
        cursor.executemany(
            "insert into public.messages (id, chat_id, user_id, content, created_at, role)"
            " values (%s, %s, %s, %s, %s, 'user')",
            rows,
        )
    with db.as_service() as service, service.cursor() as cursor:
        cursor.executemany(
            "select public.agree_to_memory_for(%s, '2000-01-01')", [(person,) for person in persons], returning=False
        )


def _chat(person: UUID) -> UUID:
    return uuid5(person, "chat")


async def _start(settings: Settings) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "keepsake.cli", "backfill", "--all",
        env=process_environment(settings), stdout=DEVNULL, stderr=DEVNULL,
    )  # fmt: skip


async def _run_killed(db: Clone, settings: Settings, messages: int, kills: int, dice: random.Random) -> int:
    """Run the command, kill it and start it again, until it ends by itself; how many times it was killed."""
    killed = 0
    for number in range(kills + 1):
        process = await _start(settings)
        wanted = messages * (number + dice.random()) / (kills + 1) if number < kills else messages + 1
        while process.returncode is None and db.value(_ENDED) < wanted:  # noqa: ASYNC110 (of another process)
            await asyncio.sleep(0.05)
        if process.returncode is None and number < kills:
            kill_tree(process)
            killed += 1
        await process.wait()
    return killed


async def _finish(settings: Settings) -> None:
    """Read what killed runs had claimed, when the claims are stale."""
    resources = Resources.build(settings, clock=LaterClock(_STALE))
    try:
        await backfill(resources, Backfill(), lambda _line: None)
    finally:
        await resources.close()


def _results(db: Clone) -> Results:
    return Counter(tuple(row.values()) for row in db.all(_MEMORIES)), Counter(
        tuple(row.values()) for row in db.all(_ENDS)
    )


async def _measure(given: argparse.Namespace, kills: int) -> tuple[Results, tuple[object, ...], list[str]]:
    """One run over a new database: what came of it, its row of the table, and the invariants that do not hold."""
    dice = random.Random(given.seed)  # noqa: S311 (the same for the same seed)
    with adopted_server(LAYOUTS["chatbot-ui"], folder=given.folder) as (server, db):
        _fill(db, given.people, given.messages)
        settings = Settings.load(
            database_url=db.api_url, supabase_jwt_secret="0" * 32, supabase_secret_key=SECRET_KEY,
            log_level="warning", extractions_per_minute=1_000_000, embedding="off",
        )  # fmt: skip
        began, used = time.monotonic(), cpu_seconds([os.getpid()])
        killed = await _run_killed(db, settings, given.messages, kills, dice)
        await _finish(settings)
        took, cpu = time.monotonic() - began, cpu_seconds([os.getpid()]) - used
        memories, ends = found = _results(db)
        states = Counter(str(end[1]) for end in ends.elements())
        said = ", ".join(f"{count} {state}" for state, count in states.most_common())
        row = (f"{killed} kills", memories.total(), said, took, cpu / given.messages * 1000)
        return found, row, violations(Stage(server, [], 0))


def _differences(runs: Sequence[Results]) -> list[str]:
    (memories, ends), (others, other_ends) = runs
    lines = [f"only without kills: {one}" for one in (memories - others).elements()]
    lines += [f"only with kills: {one}" for one in (others - memories).elements()]
    lines += [f"ended otherwise: {one}" for one in (ends - other_ends).elements()]
    return lines


async def run(given: argparse.Namespace) -> bool:
    """Run without kills and with them, compare, and say whether both are the same."""
    measured = [await _measure(given, kills) for kills in (0, given.kills)]
    title = f"Backfill of {given.messages} messages of {given.people} people, seed {given.seed}"
    show(title, ("", "memories", "messages", "seconds", "CPU ms a message"), [row for _, row, _ in measured])
    lines = _differences([found for found, _, _ in measured]) + [line for _, _, broken in measured for line in broken]
    print("\n".join(lines[:20]) or "the same memories and ends; the invariants hold")
    return not lines


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.faults.copied_backfill",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--messages", type=int, default=10_000, help="of all people together")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the moments; new each time")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    print(machine(), flush=True)
    return 0 if asyncio.run(run(given)) else 1


if __name__ == "__main__":
    sys.exit(main())
