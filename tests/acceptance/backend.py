"""A chat backend on a whole stack: PostgREST, the functions and the gateway over real HTTP, and a clock one moves."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import structlog
import uvicorn
from standardwebhooks.webhooks import Webhook

from keepsake.infra.logs import configure
from keepsake.infra.readers import Readers
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.jobs import tasks
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import create_gateway
from keepsake.operations.function_loader import load_functions
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import Account
from tests.fixtures.resources import use_resources
from tests.fixtures.rest import TLS, serve
from tests.fixtures.tokens import SECRET_KEY, WEBHOOK_SECRET, person_token
from tests.rest.gateway import KEYS

deployed = cache(load_functions)
TASKS = tasks  # a queue knows the tasks that were there when it was built
Answer = dict[str, Any]


@dataclass
class Backend:
    """What a host's chat backend does: it saves messages through REST, and calls Keepsake before and after."""

    url: str
    clock: FixedClock
    log: io.StringIO
    """Every line the functions log."""
    postgrest_log: Path
    resources: Resources
    _stack: ExitStack = field(default_factory=ExitStack)

    def client(self, **headers: str) -> httpx.Client:
        """A client of the project with these credentials; none, where none are given."""
        return self._stack.enter_context(httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=TLS))

    def as_service(self) -> httpx.Client:
        """The host's backend, by its secret key."""
        return self.client(apikey=SECRET_KEY)

    def as_person(self, person: Account, **claims: Any) -> httpx.Client:
        """A browser in which somebody is signed in."""
        return self.client(
            apikey=KEYS.publishable_key, authorization=f"Bearer {person_token(person.user_id, **claims)}"
        )

    def call(self, function: str, body: Answer, *, by: httpx.Client | None = None) -> Answer:
        """Call a function that must succeed, by default as the host's backend."""
        answer = (by or self.as_service()).post(f"/functions/v1/{function}", json=body)
        assert answer.is_success, answer.text
        said: Answer = answer.json()
        return said

    def save(self, person: Account | None, chat: UUID, text: str) -> UUID:
        """Save a message through REST, a minute after the one before; None is the assistant's."""
        self.clock.advance(minutes=1)
        message_id = uuid4()
        row = {
            "id": str(message_id),
            "conversation_id": str(chat),
            "user_id": str(person.user_id) if person else None,
            "role": "user" if person else "assistant",
            "content": text,
            "created_at": self.clock.now().isoformat(),
        }
        answer = self.as_service().post("/rest/v1/messages", json=row)
        assert answer.status_code == 201, answer.text
        return message_id

    def notify(self, chat: UUID, message_id: UUID, *, delivery: str | None = None) -> httpx.Response:
        """Deliver the signed webhook that says a message was saved."""
        body = json.dumps({"conversation_id": str(chat), "message_id": str(message_id)})
        name, stamp = delivery or f"msg_{uuid4().hex}", datetime.now(UTC)
        signed = {
            "webhook-id": name,
            "webhook-timestamp": str(int(stamp.timestamp())),
            "webhook-signature": Webhook(WEBHOOK_SECRET).sign(name, stamp, body),
            "content-type": "application/json",
        }
        return self.client().post("/functions/v1/chat-send", content=body, headers=signed)

    def says(self, person: Account, chat: UUID, text: str) -> UUID:
        """Save what a person says, deliver its webhook, and let the queue run dry."""
        message_id = self.save(person, chat, text)
        assert self.notify(chat, message_id).status_code == 202
        self.run_jobs()
        return message_id

    def run_jobs(self) -> Answer:
        """What cron calls every minute."""
        return self.call("run-due-jobs", {"max_seconds": 60})  # a reader may take long to start

    def run_every_cron(self) -> None:
        """Call every endpoint that cron calls, until nothing is left to do."""
        self.clock.advance(minutes=10)
        for _ in range(2):
            self.run_jobs()
            self.call("archive-old-memories", {})
            self.clock.advance(minutes=10)

    def context(self, person: Account, chat: UUID, text: str, **wish: Any) -> Answer:
        """What Keepsake gives the model before it answers something a person is about to say."""
        asked = {"conversation_id": str(chat), "user_id": str(person.user_id), "user_message": text}
        return self.call("inject-memory", {**asked, **wish})

    def remembered(self, person: Account, **filters: str) -> list[Answer]:
        """The person's own view of their memories through REST, beside their name."""
        wanted = {"select": "*", "order": "memory_no", "source": "neq.seeded_profile", **filters}
        answer = self.as_person(person).get("/rest/v1/user_memory", params=wanted)
        assert answer.status_code == 200, answer.text
        rows: list[Answer] = answer.json()
        return rows

    def texts(self, person: Account) -> list[str]:
        """The texts of what is active, oldest first."""
        return [row["memory_text"] for row in self.remembered(person, status="eq.active")]


@contextmanager
def running(db: Clone, settings: Settings, clock: FixedClock, readers: Readers, folder: Path) -> Iterator[Backend]:
    """The whole stack over one database, until the end of the block; the readers outlive it."""
    log, built = io.StringIO(), Resources.build(settings, clock=clock)
    resources = replace(built, readers=readers)
    structlog.configure(logger_factory=lambda *_: structlog.WriteLogger(log))
    with serve(db, folder) as rest, use_resources(resources), _listening(rest.url, built) as url:
        backend = Backend(url, clock, log, folder / "postgrest.log", resources)
        with backend._stack:
            yield backend
    configure(settings.log_level)


@contextmanager
def _listening(rest_url: str, resources: Resources) -> Iterator[str]:
    gateway = create_gateway(rest_url=rest_url, keys=ApiKeys(KEYS), functions=deployed())
    config = uvicorn.Config(gateway, log_config=None, access_log=False, lifespan="on", ws="none")
    server = uvicorn.Server(config)

    async def serve_and_close(listener: socket.socket) -> None:
        await server.serve(sockets=[listener])
        await resources.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=asyncio.run, args=(serve_and_close(listener),))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(15)
