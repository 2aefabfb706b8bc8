"""A stack of its own to attack: people with their tokens, requests as each of them, and what the database holds."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
from psycopg.rows import dict_row

from bench.attack.screening import Tally
from bench.attack.text_sets import AttackText
from bench.attack.written_chats import OwnChats
from bench.harness.adopted_server import adopted_database
from keepsake.local.stack import background
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import Keys, person_token

_REQUEST_SECONDS = 60.0
_LIFETIME = timedelta(hours=4)
_BROKEN = 599
"""The status that stands for an answer which broke off."""
_RETRY = 503
_MAX_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the stack, their primary profile, a conversation in which they are remembered, and their token."""

    user_id: UUID
    profile_id: UUID
    conversation_id: UUID
    token: str


@dataclass(slots=True)
class AttackStack:
    """The running stack; every request is counted by its status."""

    running: RunningStack
    keys: Keys
    http: httpx.AsyncClient
    mcp_url: str
    chats: OwnChats
    log: Path
    """Where the functions log what went wrong."""
    statuses: Counter[int] = field(default_factory=Counter)
    server_errors: list[str] = field(default_factory=list)
    deadlocks: list[str] = field(default_factory=list)
    """Requests that were answered with 503 and Retry-After: a deletion by the host waited for what they held."""

    def sql(self, statement: str, params: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Run a statement as the owner of the database; the rows."""
        with psycopg.connect(self.running.db_url, autocommit=True, row_factory=dict_row) as connection:
            for attempt in range(_MAX_ATTEMPTS):
                try:
                    cursor = connection.execute(statement.encode(), params)
                    return cursor.fetchall() if cursor.description else []
                except psycopg.errors.DeadlockDetected:
                    self.deadlocks.append(statement)
                    if attempt + 1 == _MAX_ATTEMPTS:
                        raise
        return []

    def token(self, user_id: UUID, **more: Any) -> str:
        """A valid token of a person."""
        values: dict[str, Any] = {"jwt_secret": self.keys.jwt_secret, "lifetime": _LIFETIME, **more}
        return person_token(user_id, "attacked@example.com", api_url=self.running.api_url, **values)

    def person(self, name: str = "Ada") -> Person:
        """A new person with a profile and a conversation."""
        user_id, _ = find_user(self.running.db_url, f"{uuid4().hex}@example.com", create=True)
        return Person(user_id, *self.chats.begin(self.sql, user_id, name), self.token(user_id))

    async def request(self, method: str, path: str, headers: Mapping[str, str], **more: Any) -> httpx.Response:
        """Send a request; a status of 500 or more is noted, and so is an answer that breaks off."""
        url = f"{self.running.api_url}{path}"
        try:
            answer = await self.http.request(method, url, headers=dict(headers), **more)
        except httpx.TransportError as error:
            answer = httpx.Response(_BROKEN, text=f"no complete answer: {error!r}")
        self.statuses[answer.status_code] += 1
        if answer.status_code == _RETRY and "retry-after" in answer.headers:
            self.deadlocks.append(f"{method} {path}")
        elif answer.status_code >= 500:
            self.server_errors.append(
                f"{method} {path}: {answer.status_code} {answer.text[:200]}{self._logged(answer)}"
            )
        return answer

    def _logged(self, answer: httpx.Response) -> str:
        """What the functions logged of a request, with the places of the error."""
        request_id = answer.headers.get("x-request-id")
        lines = self.log.read_text(errors="replace").splitlines() if request_id and self.log.exists() else []
        return "".join(f"\n  {line}" for line in lines if str(request_id) in line)

    def headers(self, person: Person | None) -> dict[str, str]:
        """The headers of a person's browser, or of the backend."""
        if person is None:
            return {"apikey": self.keys.secret_key, "authorization": f"Bearer {self.keys.service_role_key}"}
        return {"apikey": self.keys.publishable_key, "authorization": f"Bearer {person.token}"}

    async def call(self, function: str, body: Any, person: Person | None = None) -> httpx.Response:
        """Call a function as a person, or as the backend."""
        headers = self.headers(person) if person else {"apikey": self.keys.secret_key}
        return await self.request("POST", f"/functions/v1/{function}", headers, json=body)

    async def rest(self, method: str, path: str, person: Person | None, **more: Any) -> httpx.Response:
        """Ask PostgREST."""
        return await self.request(method, f"/rest/v1/{path}", self.headers(person), **more)

    async def say(self, person: Person, text: str) -> UUID:
        """Save a message of the person."""
        message, row = self.chats.message(person.user_id, person.conversation_id, text)
        await self.rest("POST", "messages", person if self.chats.layout else None, json=row)
        return message

    async def tell(self, person: Person, text: str) -> httpx.Response:
        """Save a message, and ask for a context (which runs commands) and an extraction."""
        message = await self.say(person, text)
        turn = {"conversation_id": str(person.conversation_id), "message_id": str(message)}
        await self.call("inject-memory", turn)
        return await self.call("extract-user-memory", turn)

    async def context(self, person: Person, text: str) -> str:
        """The context for a message."""
        message = await self.say(person, text)
        turn = {"conversation_id": str(person.conversation_id), "message_id": str(message)}
        answer = await self.call("inject-memory", turn)
        return answer.text if answer.status_code != 200 else str(answer.json().get("context") or "")

    async def use_tool(self, person: Person, arguments: Mapping[str, Any]) -> httpx.Response:
        """Call the tool over MCP with the person's token."""
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "manage_user_memory", "arguments": dict(arguments)},
        }
        headers = {
            "authorization": f"Bearer {person.token}",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-06-18",
        }
        return await self.http.post(self.mcp_url, json=body, headers=headers)

    def memories(self, person: Person) -> list[dict[str, Any]]:
        """The person's memories, without their name."""
        return self.sql(
            "select * from public.user_memory where user_id = %(user)s and source <> 'seeded_profile'"
            " order by memory_no",
            {"user": person.user_id},
        )


@asynccontextmanager
async def attack_stack(folder: Path, chats: OwnChats | None = None) -> AsyncIterator[AttackStack]:
    """Start a stack with an empty database in a folder, and the MCP server; stop both at the end of the block."""
    project, chats = ProjectFolder(folder), chats or OwnChats()
    if chats.layout:
        with adopted_database(project.database_dir, chats.layout):
            pass  # it is started again with the stack
    running = background.start(project, port=0)
    port = _free_port()
    mcp = subprocess.Popen(  # noqa: ASYNC220 (nothing else runs yet)
        [sys.executable, "-m", "keepsake.cli", "mcp", "--http", str(port), "--data", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        async with httpx.AsyncClient(timeout=_REQUEST_SECONDS) as http:
            yield AttackStack(
                running, project.keys(), http, f"http://127.0.0.1:{port}/mcp", chats, project.log("keepsake")
            )
    finally:
        mcp.terminate()
        mcp.wait()
        background.stop(project)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Attack:
    """The stack, the chance of this run, and the tallies."""

    on: AttackStack
    chance: random.Random
    seed: int
    texts: int
    tallies: dict[str, Tally] = field(default_factory=dict)

    def count(self, kind: str, what: str, *, failed: bool) -> None:
        """Count one attempt of a class."""
        self.tallies.setdefault(kind, Tally()).count(what, failed=failed)

    def canary(self) -> str:
        """A word that no text contains."""
        return "canary" + "".join(self.chance.choices("bcdfghjklmnpqrstvwxz", k=10))

    def some(self, texts: list[AttackText]) -> list[AttackText]:
        """As many of the texts as asked for, in an order of this run."""
        return self.chance.sample(texts, min(self.texts, len(texts)))
