"""Reads messages in processes of their own, each call under a deadline, so that none blocks the event loop.

A regular expression at work holds the interpreter's lock: a thread alone would block all the others with it. Here a
thread only waits for a process; one that does not answer in time is killed, and the next call starts another. The time
is that of the CPU: on a busy machine a message waits, and is not given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from keepsake.infra.reader_process import call_each

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_START_SECONDS = 60.0
"""Longest a reader may take to start; a busy machine takes some seconds."""

_WAITING = 10
"""How many times the deadline a call may take by the clock, most of it waiting for a CPU."""


class DeadlineExceeded(Exception):
    """A message could not be read in the time there is for one."""


class Readers:
    """A few processes that read; the first call starts one, and they end with this process."""

    def __init__(self, *, deadline: float, max_processes: int, modules: Sequence[str]) -> None:
        """Take the deadline of a call in seconds of CPU, and what each process imports before its first call."""
        self._deadline, self._modules = deadline, modules
        self._threads = ThreadPoolExecutor(max_processes, thread_name_prefix="readers")
        self._idle: list[_Reader] = []
        self._first: Future[None] | None = None
        self._is_started = self._is_closed = False

    def begin(self) -> bool:
        """Begin to start the first process, and return at once; false where that began before."""
        if self._first is not None and not (self._first.done() and self._first.exception()):
            return False
        self._first = self._threads.submit(self._start_first)
        return True

    async def start(self) -> None:
        """Start the first process, if none was started yet; about a second that no open transaction should wait."""
        self.begin()
        if self._first is not None:
            await asyncio.shield(asyncio.wrap_future(self._first))

    async def run(
        self, function: Callable[Parameters, Result], /, *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Result:
        """The result of a function of a module; DeadlineExceeded where it takes too long."""
        call = partial(self._call, function, arguments, named)
        succeeded, result = await asyncio.get_running_loop().run_in_executor(self._threads, call)
        if not succeeded:
            raise result
        return cast("Result", result)

    async def run_each(self, function: Callable[..., Result], calls: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Run several calls one after another, within the deadline of one; the reader gets all of them at once."""
        return await self.run(call_each, function, list(calls)) if calls else []

    async def run_or(
        self,
        default: Result,
        function: Callable[Parameters, Result],
        /,
        *arguments: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Result:
        """The result of `run`, or the default where it takes too long."""
        try:
            return await self.run(function, *arguments, **named)
        except DeadlineExceeded:
            return default

    def close(self) -> None:
        """End the readers; one at work ends with its call."""
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._kill_idle()

    def _start_first(self) -> None:
        if not self._is_started:
            self._keep(self._start_reader())

    def _start_reader(self) -> _Reader:
        self._is_started = True
        return _Reader(self._deadline, self._modules)

    def _call(self, *call: Any) -> tuple[bool, Any]:
        reader = self._idle.pop() if self._idle else self._start_reader()
        try:
            answer = reader.answer(call)
        except BaseException:
            reader.kill()
            raise
        self._keep(reader)
        return answer

    def _keep(self, reader: _Reader) -> None:
        self._idle.append(reader)
        if self._is_closed:
            self._kill_idle()

    def _kill_idle(self) -> None:
        with contextlib.suppress(IndexError):  # threads may do this at once
            while True:
                self._idle.pop().kill()


class _Reader:
    """One process, which reads one message at a time."""

    def __init__(self, deadline: float, modules: Sequence[str]) -> None:
        self._deadline = deadline
        self._connection, theirs = Pipe()
        with theirs:
            descriptor = theirs.fileno()
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "keepsake.infra.reader_process",
                    str(descriptor),
                    str(deadline),
                    *modules,
                ],
                stdin=subprocess.DEVNULL,
                env={"PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)},  # and no secret
                pass_fds=[descriptor],
            )
        try:
            self._received(_START_SECONDS)
        except BaseException:
            self.kill()
            raise

    def answer(self, call: tuple[Any, ...]) -> tuple[bool, Any]:
        """Whether the call came to an end, and its result or what it raised."""
        self._connection.send(call)
        succeeded, result = self._received(self._deadline * _WAITING)
        return succeeded, result

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._connection.close()

    def _received(self, seconds: float) -> Any:
        if seconds <= 0 or not self._connection.poll(seconds):
            raise DeadlineExceeded
        try:
            return self._connection.recv()
        except EOFError:
            if self._process.wait() == -signal.SIGPROF:
                raise DeadlineExceeded from None
            raise
