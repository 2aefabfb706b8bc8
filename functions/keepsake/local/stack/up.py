"""``keepsake up``: database, PostgREST, functions, a worker and the clock, started together and stopped together."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import uvicorn
from starlette.types import ASGIApp

from keepsake.errors import Conflict
from keepsake.infra.resources import resources
from keepsake.infra.settings import Settings
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import REST_PATH, create_gateway
from keepsake.local.servers.postgrest import PostgREST
from keepsake.local.servers.processes import LOOPBACK
from keepsake.local.stack.databases import Database, embedded_database, existing_database
from keepsake.local.stack.scheduler import keep_time
from keepsake.local.stack.supervisor import Watch
from keepsake.operations.embed import what_is_missing
from keepsake.operations.environment import functions_environment, plain_settings
from keepsake.operations.function_loader import load_functions
from keepsake.project.folder import Home, Running
from keepsake.project.keys import Keys

Say = Callable[[str], None]
Task = Callable[[], Coroutine[Any, Any, None]]


def up(
    home: Home,
    *,
    port: int,
    on_ready: Callable[[Running, Keys], None],
    say: Say,
    database_url: str | None = None,
    migration_url: str | None = None,
) -> None:
    """Run the stack until it is told to stop; then, or when anything fails, leave nothing behind."""
    signal.signal(signal.SIGTERM, _leave)  # until the server takes over: so that what has started is stopped
    with contextlib.ExitStack() as parts:
        parts.enter_context(home.claimed())
        listener = parts.enter_context(_listening(port))
        keys, api_url = home.keys(), f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        if database_url:
            database = parts.enter_context(existing_database(database_url, migration_url))
        else:
            database = parts.enter_context(embedded_database(home, keys, say))
        rest = parts.enter_context(_postgrest(database, keys, api_url, home.log("postgrest")))
        aloud = _on_terminal(say)
        watch = Watch(rest, database.server, aloud)
        parts.enter_context(_stderr_to(home.log("keepsake")))
        running = Running(
            os.getpid(),
            api_url,
            database.owner_url,
            database.functions_url,
            database.embedded,
            settings=plain_settings(os.environ),
            has_model_key=bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_EMBEDDING_API_KEY")),
        )
        os.environ.update(functions_environment(running, keys))
        if missing := what_is_missing(Settings.load()):
            aloud(f"{missing.found}. {missing.remedy}")
        gateway = create_gateway(rest_url=rest.url, keys=ApiKeys(keys), functions=load_functions())

        def ready() -> None:
            home.announce(running)
            on_ready(running, keys)

        beside = (watch.keep, partial(keep_time, api_url, keys.secret_key))
        asyncio.run(_serve(gateway, listener, beside, ready))


async def _serve(gateway: ASGIApp, listener: socket.socket, others: Sequence[Task], ready: Callable[[], None]) -> None:
    """Serve, work and do the ``others`` until a signal comes or one of them fails."""
    server = _Server(uvicorn.Config(gateway, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=5))
    _stop_on_signals(server)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    shared = resources()
    beside = {asyncio.create_task(run()) for run in (shared.queue.run_worker, *others)}
    try:
        ready()
        done, _ = await asyncio.wait({serving, *beside}, return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        await serving
        for task in done:
            task.result()  # what failed is said, not swallowed
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await shared.close()


class _Server(uvicorn.Server):
    """A server that leaves signals to us: uvicorn would raise them again at its end and skip what we have to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _stop_on_signals(server: uvicorn.Server) -> None:
    def stop() -> None:
        server.force_exit = server.should_exit  # asked twice: do not wait for open requests
        server.should_exit = True

    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop)


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """Take the port before anything starts, and keep it."""
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:  # named, or asyncio leaves Nagle's delay of 40 ms on
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
            listener.listen(128)
        except OSError as error:
            raise Conflict(f"Port {port} is taken ({error.strerror}).", hint="Choose another with --port.") from None
        yield listener


@contextlib.contextmanager
def _stderr_to(log: Path) -> Iterator[None]:
    """Write the functions' structured log to a file, so that the terminal stays readable."""
    with log.open("a", buffering=1) as file, contextlib.redirect_stderr(file):
        yield


def _on_terminal(say: Say) -> Say:
    """The same ``say``, heard where it is heard now, however stderr is turned aside later."""
    terminal = sys.stderr

    def aloud(what: str) -> None:
        with contextlib.redirect_stderr(terminal):
            say(what)

    return aloud


def _postgrest(database: Database, keys: Keys, api_url: str, log: Path) -> PostgREST:
    return PostgREST(database.rest_url, jwt_secret=keys.jwt_secret, log_file=log, public_url=f"{api_url}{REST_PATH}")


def _leave(_signal: int, _frame: object) -> NoReturn:
    sys.exit(0)
