"""``keepsake up``: starts and stops database, PostgREST, functions, worker and scheduler together."""

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
from keepsake.infra.resources import get_resources
from keepsake.infra.settings import Settings
from keepsake.local.chat import ChatPage
from keepsake.local.gateway import AUTH_PATH, REST_PATH
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import create_gateway
from keepsake.local.gateway.auth_proxy import AuthProxy
from keepsake.local.servers.postgrest import PostgREST
from keepsake.local.servers.processes import LOOPBACK
from keepsake.local.stack.databases import StackDatabase, embedded_database, existing_database
from keepsake.local.stack.external_auth import SupabaseAuth
from keepsake.local.stack.scheduler import run_schedule
from keepsake.local.stack.supervisor import Supervisor
from keepsake.operations.check_embedding_setup import check_pgvector, describe_embedding
from keepsake.operations.check_model_verdict import check_model_verdict
from keepsake.operations.environment import functions_environment, public_settings
from keepsake.operations.function_loader import load_functions
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import Keys

Say = Callable[[str], None]
Task = Callable[[], Coroutine[Any, Any, None]]


def up(
    project: ProjectFolder,
    *,
    port: int,
    on_ready: Callable[[RunningStack, Keys], None],
    say: Say,
    database_url: str | None = None,
    migration_url: str | None = None,
    auth_url: str | None = None,
) -> None:
    """Run the stack until it is told to stop; then, or when anything fails, leave nothing behind."""
    signal.signal(signal.SIGTERM, _exit)  # until the server takes over: so that what has started is stopped
    with contextlib.ExitStack() as exit_stack:
        exit_stack.enter_context(project.exclusive())
        listener = exit_stack.enter_context(_listen(port))
        auth = SupabaseAuth.load(auth_url, os.environ) if auth_url else None
        keys = auth.replace_secret(project.keys()) if auth else project.keys()
        api_url = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        if database_url:
            database = exit_stack.enter_context(existing_database(database_url, migration_url))
        else:
            database = exit_stack.enter_context(embedded_database(project, keys, say))
        rest = exit_stack.enter_context(_postgrest(database, keys, auth, api_url, project.log("postgrest")))
        say_on_terminal = _bind_to_terminal(say)
        supervisor = Supervisor(rest, database.server, say_on_terminal)
        exit_stack.enter_context(_redirect_stderr(project.log("keepsake")))
        running = _describe_stack(api_url, database, auth)
        os.environ.update(functions_environment(running, keys))
        settings = Settings.load()
        say_on_terminal(describe_embedding(settings))
        for finding in (check_pgvector(settings), *check_model_verdict(settings, database.owner_url)):
            if finding is not None and finding.remedy:
                say_on_terminal(f"{finding.subject.capitalize()}: {finding.result}. {finding.remedy}")
        functions = load_functions()
        chat = ChatPage(running, keys, settings, rest_url=rest.url, functions=functions)
        gateway = create_gateway(
            rest_url=rest.url, keys=ApiKeys(keys), functions=functions, chat=chat, auth=_auth_proxy(auth)
        )

        def ready() -> None:
            project.write_state(running)
            on_ready(running, keys)

        background_tasks = (supervisor.run, partial(run_schedule, api_url, keys.secret_key))
        asyncio.run(_serve(gateway, listener, background_tasks, ready))


async def _serve(
    gateway: ASGIApp, listener: socket.socket, background: Sequence[Task], ready: Callable[[], None]
) -> None:
    """Serve, and run the worker and the background tasks, until a signal comes or one of them fails."""
    server = _Server(uvicorn.Config(gateway, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=5))
    stop_request = _stop_on_signals(server)
    server_task = asyncio.create_task(server.serve(sockets=[listener]))
    resources = get_resources()
    resources.begin_loading()
    background_tasks = {asyncio.create_task(run()) for run in (resources.queue.run_worker, *background)}
    ends: set[asyncio.Task[Any]] = {server_task, asyncio.create_task(stop_request.wait()), *background_tasks}
    try:
        ready()
        done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:  # all stop at the same time
        server.should_exit = True
        for task in background_tasks:
            task.cancel()
        await asyncio.gather(server_task, *background_tasks, return_exceptions=True)
        await resources.close()
    for task in {server_task, *done}:
        task.result()  # what failed is said, not swallowed


class _Server(uvicorn.Server):
    """A server that leaves signals to us: uvicorn would raise them again at its end and skip what we have to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _stop_on_signals(server: uvicorn.Server) -> asyncio.Event:
    stop_request = asyncio.Event()

    def stop() -> None:
        server.force_exit = server.should_exit  # asked twice: do not wait for open requests
        server.should_exit = True
        stop_request.set()

    for signal_number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signal_number, stop)
    return stop_request


@contextlib.contextmanager
def _listen(port: int) -> Iterator[socket.socket]:
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
def _redirect_stderr(log: Path) -> Iterator[None]:
    """Write the functions' structured log to a file, so that the terminal stays readable."""
    with log.open("a", buffering=1) as file, contextlib.redirect_stderr(file):
        yield


def _bind_to_terminal(say: Say) -> Say:
    """A ``say`` that keeps writing to the present stderr, also after stderr is redirected."""
    terminal = sys.stderr

    def say_on_terminal(line: str) -> None:
        with contextlib.redirect_stderr(terminal):
            say(line)

    return say_on_terminal


def _describe_stack(api_url: str, database: StackDatabase, auth: SupabaseAuth | None) -> RunningStack:
    return RunningStack(
        os.getpid(),
        api_url,
        database.owner_url,
        database.functions_url,
        database.embedded,
        settings=public_settings(os.environ),
        has_model_key=bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_EMBEDDING_API_KEY")),
        auth_url=auth.url if auth else None,
    )


def _postgrest(database: StackDatabase, keys: Keys, auth: SupabaseAuth | None, api_url: str, log: Path) -> PostgREST:
    secret = auth.verification_key(keys) if auth else keys.jwt_secret
    return PostgREST(
        database.rest_url,
        jwt_secret=secret,
        log_file=log,
        public_url=f"{api_url}{REST_PATH}",
        prepares_statements=database.server is not None,  # another one may be behind a pooler
    )


def _auth_proxy(auth: SupabaseAuth | None) -> AuthProxy | None:
    return AuthProxy(auth.url, auth.publishable_key, prefix=AUTH_PATH) if auth else None


def _exit(_signal: int, _frame: object) -> NoReturn:
    sys.exit(0)
