"""``keepsake backfill``: reads the messages of people that nobody has read yet, as far as these people allow it.

Each goes through the normal extraction, oldest first. What is finished has a row that says so: a run that was stopped
goes on where it was, and a second one does nothing.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from keepsake.errors import KeepsakeError, MisconfiguredError, NotFound, RateLimited
from keepsake.infra.dependencies import Resources, get_resources
from keepsake.infra.logs import log
from keepsake.operations.backfill_report import Plan, Progress
from keepsake.operations.call_pace import CallPace
from keepsake.operations.environment import required_environment, target_stack
from keepsake.operations.resolve_person import find_person
from keepsake.project.folder import ProjectFolder
from keepsake.store import unread_messages
from keepsake.store.unread_messages import EVER, START, Position, UnreadMessage
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.turns.unread_turns import count_unread_turns, find_unread_turns

_PEOPLE_AT_ONCE = 200
_MINUTE_SECONDS = 60.0
_REPORT_SECONDS = 5.0
_PAUSE_SECONDS = 20.0
_PATIENCE_SECONDS = 60.0
"""How long the model may be away before the command ends."""

Say = Callable[[str], None]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Backfill:
    """Whose messages to read, from when, how many a minute by the model, or only to count them."""

    user_id: UUID | None = None
    """None is everybody who chose a profile for a conversation."""
    since: datetime = EVER
    calls_per_minute: int = 60
    dry_run: bool = False


def run_backfill(
    project: ProjectFolder, database_url: str | None, user: str | None, wanted: Backfill, say: Say
) -> None:
    """Read what is unread in the named database or the running stack; ``user`` names a person by id or address."""
    running = target_stack(project, database_url)
    os.environ.update({n: value for n, value in (running.settings if running else {}).items() if not os.environ.get(n)})
    os.environ.update(required_environment(project, database_url))
    os.environ.setdefault("LOG_LEVEL", "warning")  # a line for each message would hide how far it is
    if user is not None:
        wanted = replace(wanted, user_id=find_person(project, database_url, user))
    asyncio.run(_run(get_resources(), wanted, say))


async def _run(resources: Resources, wanted: Backfill, say: Say) -> None:
    try:
        await backfill(resources, wanted, say)
    finally:
        await resources.close()


async def backfill(resources: Resources, wanted: Backfill, say: Say, *, sleep: Sleep = asyncio.sleep) -> Progress:
    """Count what is unread, say it, and read it, unless it was only to be counted."""
    model = resources.settings.openai_extraction_model
    reader = _Reader(resources, wanted, say, sleep)
    plan = Plan()
    async for people in reader.people():
        for person in people:
            plan.add(await count_unread_turns(resources, person, since=wanted.since))
    calls = wanted.calls_per_minute if model else None
    for line in plan.lines(per_person=reader.per_minute, calls=calls, reader=model or "the rules"):
        say(line)
    reader.progress.total = plan.total.to_read
    if not wanted.dry_run and plan.total.to_read:
        async for people in reader.people():
            await reader.read_all_of(people)
        for line in (reader.progress.line(), *reader.progress.ends(has_model=bool(model))):
            say(line)
    return reader.progress


class _Reader:
    """Reads the messages of some people at a time, a person's in their order, and never too many of one a minute."""

    def __init__(self, resources: Resources, wanted: Backfill, say: Say, sleep: Sleep) -> None:
        self._resources, self._wanted, self._say, self._sleep = resources, wanted, say, sleep
        self._at_once = asyncio.Semaphore(resources.settings.worker_concurrency)
        self._pace = CallPace(resources, wanted.calls_per_minute, sleep)
        self._reported = time.monotonic()
        self.per_minute = max(1, resources.settings.extractions_per_minute // 2)
        """Half of what a person may cause: their messages and commands of today need the other half."""
        self.progress = Progress(0)

    async def people(self) -> AsyncIterator[Sequence[UUID]]:
        """The people whose messages are to be read, some at a time."""
        if self._wanted.user_id is not None:
            yield [self._wanted.user_id]
            return
        page: list[UUID] = [UUID(int=0)]
        while page:
            async with self._resources.database.as_service() as conn:
                page = await unread_messages.find_consenting_people(conn, after=page[-1], limit=_PEOPLE_AT_ONCE)
            if page:
                yield page

    async def read_all_of(self, people: Sequence[UUID]) -> None:
        """Read the messages of these people, minute by minute."""
        waiting = dict.fromkeys(people, START)
        while waiting:
            ends = time.monotonic() + _MINUTE_SECONDS
            try:
                async with asyncio.TaskGroup() as group:
                    tasks = {person: group.create_task(self._read_some(person, at)) for person, at in waiting.items()}
            except ExceptionGroup as failures:  # `except*` wraps what it raises into a group again in Python 3.11.2
                raise next((e for e in failures.exceptions if isinstance(e, KeepsakeError)), failures) from None
            waiting = {person: at for person, task in tasks.items() if (at := task.result()) is not None}
            if waiting:
                await self._sleep(max(0.0, ends - time.monotonic()))

    async def _read_some(self, person: UUID, at: Position) -> Position | None:
        """Read what the person may be read in a minute; returns where to go on, None where nothing is left."""
        async with self._at_once:
            left = self.per_minute
            while page := await find_unread_turns(self._resources, person, since=self._wanted.since, after=at):
                for message, reason in page:
                    if reason is None:
                        if left == 0 or not await self._read(message):
                            return at
                        left -= 1
                    at = message.position
        return None

    async def _read(self, message: UnreadMessage) -> bool:
        """Read one message; False where the person's rate limit is reached, because they write at the same time."""
        waited = 0.0
        try:
            while True:
                await self._pace.wait()
                extraction = await extract_user_memory(
                    self._resources, conversation_id=message.conversation_id, message_id=message.message_id
                )
                if extraction.reason != "model_unavailable":
                    break
                waited = await self._wait_for_model(waited)
            self.progress.add(extraction)
        except RateLimited:
            return False
        except NotFound:
            self.progress.done += 1  # deleted meanwhile
        except KeepsakeError:
            raise
        except Exception as error:  # noqa: BLE001 (one message must not end the others; its row is due again)
            log.error("a message failed", exc_info=error)
            self.progress.done += 1
            self.progress.failed += 1
        self._report()
        return True

    async def _wait_for_model(self, waited: float) -> float:
        if waited >= _PATIENCE_SECONDS:
            raise MisconfiguredError(
                f"The model does not answer. {self.progress.line()}.",
                hint="`keepsake doctor` says why; afterwards the same command goes on where it was.",
            )
        await self._sleep(_PAUSE_SECONDS)
        return waited + _PAUSE_SECONDS

    def _report(self) -> None:
        if time.monotonic() - self._reported >= _REPORT_SECONDS:
            self._reported = time.monotonic()
            self._say(self.progress.line())
