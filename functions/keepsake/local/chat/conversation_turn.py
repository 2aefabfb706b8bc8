"""One turn of the chat page: memory before the answer, the answer, and the report that the turn was saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import UUID

import httpx

from keepsake.errors import KeepsakeError, NotFound
from keepsake.infra.settings import Settings
from keepsake.local.chat.assistant import stream_answer
from keepsake.local.chat.services import Row, Services

Event = dict[str, Any]
_OK = 200
_WITHOUT_MEMORY: Row = {"context": "", "memories": [], "reason": "unavailable", "injection_id": None}
_SHOWN = ("memories", "summary_ids", "reason", "command_result", "token_count")


class TurnRunner:
    """Runs turns to their end, also where the browser goes away in the middle of an answer."""

    def __init__(self, services: Services, settings: Settings) -> None:
        self._services, self._settings = services, settings
        self._tasks: set[asyncio.Task[None]] = set()

    async def find_message(self, token: str, user_id: str, conversation_id: UUID, message_id: UUID) -> str:
        """Return the text of a message that the person wrote, read with their own token, or raise NotFound."""
        query = {"id": f"eq.{message_id}", "conversation_id": f"eq.{conversation_id}", "user_id": f"eq.{user_id}"}
        rows = await self._services.select("messages", query | {"select": "content"}, token=token)
        if not rows:
            raise NotFound("There is no such message, or it is not yours.")
        return str(rows[0]["content"])

    def start(self, conversation_id: UUID, message_id: UUID, text: str, *, language: str) -> AsyncIterator[Event]:
        """Start a turn and return its events: ``context``, ``text`` for each piece, and ``end`` or ``error``."""
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._run(conversation_id, message_id, text, language, events))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return _drain(events)

    async def _run(
        self, conversation_id: UUID, message_id: UUID, text: str, language: str, events: asyncio.Queue[Event | None]
    ) -> None:
        try:
            injection = await self._inject(conversation_id, message_id)
            if _is_changing_command(injection):
                injection = {**injection, "memories": [], "summary_ids": [], "injection_id": None}
            shown = {name: injection.get(name) for name in _SHOWN}
            events.put_nowait({"type": "context", **shown})
            pieces: list[str] = []
            async for piece in stream_answer(self._settings, injection, text, language=language):
                pieces.append(piece)
                events.put_nowait({"type": "text", "text": piece})
            answer_id = await self._save(conversation_id, "".join(pieces).strip(), injection)
            await self._services.invoke(
                "chat-send", {"conversation_id": str(conversation_id), "message_id": str(message_id)}
            )
            events.put_nowait({"type": "end", "message_id": answer_id})
        except (KeepsakeError, httpx.HTTPError) as error:
            events.put_nowait({"type": "error", "message": str(error)})
        finally:
            events.put_nowait(None)

    async def _inject(self, conversation_id: UUID, message_id: UUID) -> Row:
        """Return the context for the answer; without Keepsake there is an answer all the same, without memory."""
        body = {"conversation_id": str(conversation_id), "message_id": str(message_id), "history": True}
        status, injection = await self._services.invoke("inject-memory", body)
        return injection if status == _OK else _WITHOUT_MEMORY

    async def _save(self, conversation_id: UUID, text: str, injection: Mapping[str, Any]) -> str:
        row = {"conversation_id": str(conversation_id), "role": "assistant", "content": text or "…"}
        saved = await self._services.insert("messages", row)
        answer_id = str(saved[0]["id"])
        if injection.get("injection_id"):
            await self._services.invoke(
                "record-injection", {"injection_id": injection["injection_id"], "message_id": answer_id}
            )
        return answer_id


def _is_changing_command(injection: Mapping[str, Any]) -> bool:
    """Whether the answer says what came of a command ("Forgotten: …"): it rests on no memory that could stand below."""
    command = injection.get("command_result")
    return command is not None and not str(command["kind"]).startswith("recall")


async def _drain(events: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
    while (event := await events.get()) is not None:
        yield event
