"""``keepsake backfill``: reads the messages of people that nobody has read yet, as far as these people allow it.

Each goes through the normal extraction, oldest first. What is finished has a row that says so: a run that was stopped
goes on where it was, and a second one does nothing.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import heappop, heappush
from uuid import UUID

from keepsake.errors import KeepsakeError, MisconfiguredError, NotFound, RateLimited
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources, get_resources
from keepsake.operations.backfill_report import Plan, Progress
from keepsake.operations.environment import load_environment
from keepsake.operations.model_rate_limiter import ModelRateLimiter
from keepsake.operations.resolve_person import find_person
from keepsake.project.folder import ProjectFolder
from keepsake.store import unread_messages
from keepsake.store.unread_messages import EVER, START, Position, UnreadMessage
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.turns.unread_turns import count_unread_turns, find_unread_turns

_PEOPLE_A_PAGE = 200
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
    load_environment(project, database_url)
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
    """Count what is unread and print it; read it, unless only the count is wanted."""
    model = resources.settings.openai_extraction_model
    reader = _Reader(resources, wanted, say, sleep)
    plan = Plan()
    async for person in reader.people():
        plan.add(await count_unread_turns(resources, person, since=wanted.since))
    calls = wanted.calls_per_minute if model else None
    for line in plan.lines(per_person=reader.per_minute, calls=calls, reader=model or "the rules"):
        say(line)
    progress = reader.progress
    progress.total = plan.total.to_read
    progress.min_seconds = _MINUTE_SECONDS * plan.minutes(per_person=reader.per_minute, calls=calls)
    if not wanted.dry_run and progress.total:
        await reader.read_all()
        for line in (progress.line(), *progress.ends(has_model=bool(model))):
            say(line)
    return progress


@dataclass(frozen=True, slots=True, order=True)
class _Wait:
    """A person whose messages of this minute are read, until when, and where to go on."""

    until: float
    person: UUID
    position: Position = field(compare=False)


class _Reader:
    """Reads the messages of several people at once, a person's in their order, and never too many of one a minute."""

    def __init__(self, resources: Resources, wanted: Backfill, say: Say, sleep: Sleep) -> None:
        self._resources, self._wanted, self._say, self._sleep = resources, wanted, say, sleep
        self._limiter = ModelRateLimiter(resources, wanted.calls_per_minute, sleep)
        self._waiting: list[_Wait] = []
        self._began = self._reported = time.monotonic()
        self.per_minute = max(1, resources.settings.extractions_per_minute // 2)
        """Half of what a person may cause: their messages and commands of today need the other half."""
        self.progress = Progress(0)

    async def people(self) -> AsyncGenerator[UUID]:
        """The people whose messages are to be read."""
        if self._wanted.user_id is not None:
            yield self._wanted.user_id
            return
        page: list[UUID] = [UUID(int=0)]
        while page:
            async with self._resources.database.as_service() as conn:
                page = await unread_messages.find_consenting_people(conn, after=page[-1], limit=_PEOPLE_A_PAGE)
            for person in page:
                yield person

    async def read_all(self) -> None:
        """Read everybody's messages, of as many people at once as a worker runs jobs."""
        self._began = time.monotonic()
        people, next_person = self.people(), asyncio.Lock()
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._resources.settings.worker_concurrency):
                    group.create_task(self._read_people(people, next_person))
        except ExceptionGroup as failures:  # `except*` wraps what it raises into a group again in Python 3.11.2
            known = [error for error in failures.exceptions if isinstance(error, KeepsakeError)]
            raise (known or failures.exceptions)[0] from None

    async def _read_people(self, people: AsyncGenerator[UUID], next_person: asyncio.Lock) -> None:
        """Read one person after another: first those whose wait is over, then new ones, then whose wait ends first."""
        while True:
            if not self._waiting or self._waiting[0].until > time.monotonic():
                async with next_person:
                    person = await anext(people, None)
                if person is not None:
                    await self._read_some(person, START)
                    continue
            if not self._waiting:
                return
            wait = heappop(self._waiting)
            await self._sleep(max(0.0, wait.until - time.monotonic()))
            await self._read_some(wait.person, wait.position)

    async def _read_some(self, person: UUID, at: Position) -> None:
        """Read what the person may be read in a minute; if more is left, they wait for the next one."""
        left, until = self.per_minute, time.monotonic() + _MINUTE_SECONDS
        while page := await find_unread_turns(self._resources, person, since=self._wanted.since, after=at):
            for message, reason in page:
                if reason is None:
                    if left == 0 or not await self._read(message):
                        heappush(self._waiting, _Wait(until, person, at))
                        return
                    left -= 1
                at = message.position

    async def _read(self, message: UnreadMessage) -> bool:
        """Read one message; False where the person's rate limit is reached, because they write at the same time.

        Also where it is claimed, perhaps by a run that was killed: what was said later waits until it is read.
        """
        waited = 0.0
        try:
            while True:
                await self._limiter.acquire()
                extraction = await extract_user_memory(
                    self._resources, conversation_id=message.conversation_id, message_id=message.message_id
                )
                if extraction.reason != "model_unavailable":
                    break
                waited = await self._wait_for_model(waited)
            if extraction.reason == "in_progress":
                return False
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
            self._say(self.progress.line(self._reported - self._began))
