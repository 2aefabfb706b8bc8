"""The functions behind the gateway, in a process of their own on the loopback, and a client that costs little itself.

``python -m bench.harness.serving --port N`` serves the functions of the environment's settings; ``served`` starts
exactly that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from keepsake.infra.settings import Settings
from keepsake.local.gateway import FUNCTIONS_PATH
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import create_gateway
from keepsake.operations.function_loader import load_functions
from keepsake.project.keys import Keys

HOST = "127.0.0.1"
_PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request."""

    status: int
    has_retry_after: bool
    content: bytes


class Client:
    """One kept-alive connection; requests on it go one after another."""

    def __init__(self, port: int, key: str, token: str | None = None) -> None:
        self._port = port
        self._login = f"apikey: {key}\r\n" if token is None else f"authorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, function: str, body: Any) -> Any:
        """POST a JSON body and return the JSON answer; anything but 2xx is an error."""
        answer = await self.request(function, body)
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{answer.status} {answer.content.decode()[:500]}")
        return json.loads(answer.content)

    async def request(self, function: str, body: Any, *, login: str | None = None) -> Answer:
        """POST a JSON body and return the answer, whatever its status; OSError or EOFError where it breaks off.

        ``login`` are the lines of the header that say who calls, where it is not as always.
        """
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port)
        reader, writer = self._streams
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = (
            f"POST {FUNCTIONS_PATH}/{function} HTTP/1.1\r\nhost: {HOST}\r\n{login or self._login}"
            f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        headers = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(line for line in headers.split("\r\n") if line.startswith("content-length:"))
        content = await reader.readexactly(int(length.partition(":")[2]))
        return Answer(int(headers.split(" ", 2)[1]), "\r\nretry-after:" in headers, content)

    async def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass(frozen=True, slots=True)
class Served:
    """The running functions."""

    port: int
    key: str
    client: Client
    pid: int

    async def call(self, function: str, body: Any) -> Any:
        """Call a function as the service, on the one connection everybody shares."""
        return await self.client.call(function, body)

    def connect(self) -> Client:
        """One more client."""
        return Client(self.port, self.key)


def free_port() -> int:
    """A port of the loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[Served]:
    """Serve the functions in a process of their own until the block ends."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.harness.serving", "--port", str(port), env=process_environment(settings)
    )
    key = settings.secret_keys[0]
    client = Client(port, key)
    try:
        await until_open(process, port)
        yield Served(port, key, client, process.pid)
    finally:
        await client.close()
        process.terminate()
        await process.wait()


def process_environment(settings: Settings) -> dict[str, str]:
    """The environment of a process that is to have these settings, and nothing else of ours."""
    return {**_path(), **_environment(settings)}


def _path() -> dict[str, str]:
    names = {"PATH", "HOME", "PYTHONPATH", "LANG"}
    return {name: value for name, value in os.environ.items() if name in names}  # noqa: TID251 (it is handed on)


def _environment(settings: Settings) -> dict[str, str]:
    """The settings that were given, under the names the environment has for them."""
    given = settings.model_dump(exclude_unset=True)
    plain = {name: getattr(value, "get_secret_value", lambda value=value: value)() for name, value in given.items()}
    return {name.upper(): str(value) for name, value in plain.items()}


async def until_open(process: Process, port: int) -> None:
    """Wait until the process listens on the port."""
    async with asyncio.timeout(_PATIENCE):
        while process.returncode is None:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(HOST, port)
                writer.close()
                return
            await asyncio.sleep(0.05)
    raise RuntimeError("the functions did not start")


def main() -> None:
    """Serve the functions until a signal comes."""
    parser = argparse.ArgumentParser(prog="python -m bench.harness.serving", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    arguments = parser.parse_args()
    gateway = create_gateway(rest_url=f"http://{HOST}:9", keys=ApiKeys(Keys.create()), functions=load_functions())
    config = uvicorn.Config(gateway, host=HOST, port=arguments.port, log_config=None, access_log=False, ws="none")
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
