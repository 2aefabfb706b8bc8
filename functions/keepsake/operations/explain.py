"""``keepsake explain``: says why a memory is there, what became of a message, and how a text would be read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.consent.guard import guard_extraction
from keepsake.domain.explanation.reasons import describe_drop, describe_guard, name_memory, numbers_in
from keepsake.domain.explanation.sentences import moment, zone_name
from keepsake.domain.memory import MemoryRef
from keepsake.errors import InvalidInput, NotFound
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources, get_resources
from keepsake.operations.environment import load_environment, target_stack
from keepsake.operations.explain_again import again_lines
from keepsake.operations.explain_changes import ChangeStory
from keepsake.operations.explain_memory import memory_lines
from keepsake.operations.resolve_person import find_person
from keepsake.project.folder import ProjectFolder
from keepsake.store import explanations
from keepsake.store.explanations import KeptChange, KeptTurn
from keepsake.store.row_keys import TurnKey
from keepsake.usecases.explanation.read_again import read_message_again, read_text
from keepsake.usecases.turns.claimed_turn import read_turn

Say = Callable[[str], None]

_NO_DATABASE = {
    "DATABASE_URL": "postgresql:///none",
    "SUPABASE_JWT_SECRET": "nobody signs in here, only a text is read",
}
"""Settings that reading a text alone does not use."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be explained: a message, a memory or a text; ``again`` reads a message anew."""

    message_id: UUID | None = None
    memory: str | None = None
    user: str | None = None
    text: str | None = None
    again: bool = False


def explain(project: ProjectFolder, database_url: str | None, question: Question, say: Say) -> None:
    """Answer from the named database or the running stack; a text needs neither."""
    os.environ.setdefault("LOG_LEVEL", "warning")
    if question.text is not None and not (database_url or target_stack(project, database_url)):
        os.environ |= _NO_DATABASE
    else:
        load_environment(project, database_url)
    person = find_person(project, database_url, question.user) if question.user else None
    for line in asyncio.run(_answer(get_resources(), question, person)):
        say(line)


async def _answer(resources: Resources, question: Question, person: UUID | None) -> list[str]:
    try:
        return await explain_question(resources, question, person)
    finally:
        await resources.close()


async def explain_question(resources: Resources, question: Question, person: UUID | None) -> list[str]:
    """The lines of the answer."""
    if question.text is not None:
        return list(again_lines(await read_text(resources, question.text), {}))
    if question.memory is not None:
        return await _explain_memory(resources, question.memory, person)
    if question.message_id is None:
        raise InvalidInput("Name a message by its id, a memory with --memory, or a text with --text.")
    return await _explain_message(resources, question.message_id, again=question.again)


async def _explain_memory(resources: Resources, name: str, person: UUID | None) -> list[str]:
    ref = MemoryRef.parse(name)
    if ref is not None and person is None:
        raise InvalidInput(
            f"{ref} is a number among the memories of one person.", hint=f"Add --user: --memory {ref} --user <id>"
        )
    try:
        memory_id = None if ref else UUID(name)
    except ValueError:
        raise InvalidInput(f"{name!r} is neither the number of a memory, as M-12, nor an id.") from None
    async with resources.database.as_service() as conn:
        memory = await explanations.find_memory(conn, id=memory_id, user_id=person, number=ref.number if ref else None)
        if memory is None:
            raise NotFound("There is no such memory.")
        changes = await explanations.changes_of_memory(conn, memory)
        texts = await _texts(conn, memory.user_id, changes)
    return list(memory_lines(memory, changes, texts, await resources.synchronized_now()))


async def _explain_message(resources: Resources, message_id: UUID, *, again: bool) -> list[str]:
    now = await resources.synchronized_now()
    async with resources.database.as_service() as conn:
        message = await explanations.find_message(conn, message_id)
        if message is None:
            raise NotFound("There is no such message.")
        key = TurnKey(message.conversation_id, message_id)
        kept = await explanations.find_turn(conn, key)
        changes = await explanations.changes_of_operation(conn, message, kept) if kept and kept.operation_id else []
        texts = await _texts(conn, message.user_id, changes)
        reason = guard_extraction(await read_turn(resources, conn, key, now))
    lines = [
        f"Message of {moment(message.created_at, message.timezone)}",
        f"(“You” is the person who wrote it. All times are those of {zone_name(message.timezone)}.)",
        *(_turn_lines(kept, message.timezone) if kept else ["  reading    has not begun"]),
        f"  now        {f'would not be read: {describe_guard(reason.value)}' if reason else 'may be read'}",
        *_change_lines(changes, texts, message.timezone),
    ]
    if again:
        lines += ["", "Read again, with what is remembered today; nothing of it is stored:", ""]
        again_read = await read_message_again(resources, key)
        async with resources.database.as_service() as conn:
            named = [decision.explanation for decision in again_read.decisions]
            texts = await explanations.texts_of_memories(
                conn, user_id=message.user_id, numbers=set().union(*map(numbers_in, named))
            )
        lines += again_lines(again_read, texts)
    support = f"message {message_id}, conversation {message.conversation_id}, person {message.user_id}"
    operation = f", operation {kept.operation_id}" if kept and kept.operation_id else ""
    return [*lines, "", "For support:", f"  {support}{operation}"]


async def _texts(conn: Connection, user_id: UUID | None, changes: Sequence[KeptChange]) -> dict[int, str]:
    """The texts of the memories that the reasons of changes name."""
    numbers = set[int]().union(*(numbers_in(change.reason) for change in changes))
    return await explanations.texts_of_memories(conn, user_id=user_id, numbers=numbers)


def _change_lines(changes: Sequence[KeptChange], texts: Mapping[int, str], timezone: str | None) -> Iterator[str]:
    """What a message did to each memory, and why."""
    story = ChangeStory(texts, timezone)
    for change in changes:
        number = change.memory_no or 0
        yield ""
        yield name_memory(number, {number: change.text} if change.text else {})
        if change.action == "insert":
            because = story.describe_insert(change, is_requested=False)
            yield f"  was stored on {moment(change.created_at, timezone)}. {because}"
        elif change.action == "update":
            yield f"  was changed. {story.describe(change)}"
        if change.undone_at:
            yield f"  You undid this on {moment(change.undone_at, timezone)}."


def _turn_lines(kept: KeptTurn, timezone: str | None) -> Iterator[str]:
    match kept.status:
        case "skipped":
            yield f"  reading    was not read: {describe_guard(kept.reason or '')}"
        case "quarantined":
            yield f"  reading    was given up after {kept.attempts} attempts: {describe_drop(kept.reason or '')}"
        case "extracted":
            yield f"  reading    ended {moment(kept.finished_at, timezone)}"
            reader = kept.model or ("a language model" if kept.generator == "llm" else "the rules")
            yield f"  read by    {reader}{', only the beginning: it is long' if kept.truncated else ''}"
            if kept.reason:
                yield f"  nothing    was found: {describe_drop(kept.reason)}"
        case _:
            yield f"  reading    is {kept.status} since {moment(kept.created_at, timezone)}"
            yield f"  next try   {moment(kept.next_attempt_at, timezone)}"
    if kept.model_failures or kept.bad_replies:
        yield f"  model      was away {kept.model_failures} times, and gave {kept.bad_replies} replies without use"
    for reason, count in sorted(kept.dropped.items()):
        what = "statement was" if count == 1 else "statements were"
        yield f"  not stored {count} {what}: {describe_drop(reason)}"
    if kept.status == "extracted" and not kept.operation_id:
        yield "  result     no memory was changed"
