"""The local gateway in front of a test's PostgREST, where the Supabase clients find everything at one address."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import create_gateway
from keepsake.project.keys import Keys
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY, WEBHOOK_SECRET, anon_token, service_token

KEYS = Keys(
    jwt_secret=JWT_SECRET,
    anon_key=anon_token(),
    service_role_key=service_token(),
    publishable_key="sb_publishable_tests_only_0123456789",
    secret_key=SECRET_KEY,
    webhook_secret=WEBHOOK_SECRET,
    functions_password="unused",
)


@contextmanager
def served(rest_url: str, functions: Mapping[str, ASGIApp] | None = None) -> Iterator[str]:
    """Run the gateway in front of one PostgREST, from a thread of its own, until the end of the block."""
    gateway = create_gateway(rest_url=rest_url, keys=ApiKeys(KEYS), functions=functions or {})
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(gateway, log_config=None, access_log=False, lifespan="on", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
