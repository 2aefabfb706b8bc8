"""The scripted model behind a real port: in a thread of this process, to be taken down and brought back at will."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Any, Self

import uvicorn

from tests.model_server.app import build
from tests.model_server.script import Script

_PATIENCE = 10.0


class ModelServer:
    """Serves until `down`; `up` brings it back on the same port. In between, connections are refused."""

    def __init__(self, port: int = 0) -> None:
        self.script = Script()
        self._port = port
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL, as one gives it to a client."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def is_up(self) -> bool:
        """Whether it takes connections."""
        return self._server is not None

    def up(self) -> None:
        """Begin to serve; comes back once connections are taken."""
        # The protocol is named, or asyncio would not know it for TCP and let small answers wait 40 ms.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self._port))
        self._port = listening.getsockname()[1]
        config = uvicorn.Config(build(self.script), lifespan="off", log_level="critical", access_log=False)
        self._server = server = uvicorn.Server(config)
        self._thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        waiting = threading.Event()
        while not server.started:
            if waiting.wait(0.005) or not self._thread.is_alive():
                raise RuntimeError("the scripted model did not start")

    def down(self) -> None:
        """Stop serving, and drop every connection."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(_PATIENCE)
        connections: set[Any] = self._server.server_state.connections
        for connection in connections:
            connection.transport.abort()
        self._server = self._thread = None

    def __enter__(self) -> Self:
        self.up()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.down()
