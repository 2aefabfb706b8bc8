"""The memory of a turn for an agent: a context before the model is called, the answer after it, and never an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeVar
from uuid import UUID, uuid4

from keepsake_client.functions import Body, KeepsakeClient

OnError = Callable[[Exception, str], None]
"""Takes what failed, and during what: ``save_message``, ``inject_memory``, ``record_injection``, ``chat_send``, …"""

_Result = TypeVar("_Result")
_log = logging.getLogger("keepsake_client")


@dataclass(frozen=True, slots=True)
class PersonMessage:
    """What a person wrote. With ``user_id`` it is saved when its context is read; without, the host has saved it."""

    conversation_id: UUID
    text: str
    user_id: UUID | None
    message_id: UUID = field(default_factory=uuid4)


class TurnMemory:
    """Memory for the turns of an agent. Nothing here raises, and no answer waits longer than ``deadline`` seconds.

    What fails is reported to ``on_error``, by default as a warning in the log ``keepsake_client``. ``save_answer``
    saves an answer in the host's own way and returns its id; without it, it is inserted through REST. Leaving the block
    of the asynchronous context manager waits for what is still being sent.
    """

    def __init__(
        self,
        keepsake: KeepsakeClient,
        *,
        deadline: float = 1.0,
        on_error: OnError | None = None,
        save_answer: Callable[[PersonMessage, str], Awaitable[UUID]] | None = None,
    ) -> None:
        self._keepsake = keepsake
        self._deadline = deadline
        self._on_error = on_error or _warn
        self._save_answer = save_answer or self._insert_answer
        self._pending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.settle()

    async def recall(self, message: PersonMessage) -> Body | None:
        """Save the message and return its injection, with ``context``; None where it does not arrive in time."""
        deadline = asyncio.get_running_loop().time() + self._deadline
        if not await self._attempt("save_message", self._insert_message(message), deadline):
            return None
        injection = self._keepsake.inject_memory(message.conversation_id, message.message_id)
        return await self._attempt("inject_memory", injection, deadline)

    def remember(self, message: PersonMessage, answer: str | None, injection: Body | None) -> None:
        """Begin to tell Keepsake what was said, without waiting for it; without an answer, what the person said."""
        task = asyncio.create_task(self._remember(message, answer, injection))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def settle(self) -> None:
        """Wait until everything that was to be remembered is sent or has failed."""
        while self._pending:
            await asyncio.wait(self._pending)

    async def _remember(self, message: PersonMessage, answer: str | None, injection: Body | None) -> None:
        if injection is None and not await self._attempt("save_message", self._insert_message(message)):
            return
        await self._send(message, message.message_id)
        if not answer:
            return
        answer_id = await self._attempt("save_answer", self._save_answer(message, answer))
        if answer_id is None:
            return
        if injection and injection.get("injection_id"):
            link = self._keepsake.record_injection(injection["injection_id"], answer_id)
            await self._attempt("record_injection", link)
        await self._send(message, answer_id)

    async def _send(self, message: PersonMessage, message_id: UUID) -> None:
        await self._attempt("chat_send", self._keepsake.chat_send(message.conversation_id, message_id))

    async def _insert_message(self, message: PersonMessage) -> bool:
        if message.user_id is not None:
            insert = self._keepsake.save_message
            await insert(message.conversation_id, message.message_id, message.text, user_id=message.user_id)
        return True

    async def _insert_answer(self, message: PersonMessage, answer: str) -> UUID:
        answer_id = uuid4()
        await self._keepsake.save_message(message.conversation_id, answer_id, answer)
        return answer_id

    async def _attempt(self, stage: str, call: Awaitable[_Result], deadline: float | None = None) -> _Result | None:
        try:
            async with asyncio.timeout_at(deadline):
                return await call
        except Exception as error:  # noqa: BLE001 (whatever fails, the agent answers)
            self._report(error, stage)
            return None

    def _report(self, error: Exception, stage: str) -> None:
        try:
            self._on_error(error, stage)
        except Exception:  # noqa: BLE001 (as above)
            _log.exception("on_error itself failed during %s", stage)


def _warn(error: Exception, stage: str) -> None:
    _log.warning("%s: %r", stage, error)
