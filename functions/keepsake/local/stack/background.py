"""Starts the local stack as a background process, and stops it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from keepsake.errors import Conflict, KeepsakeError
from keepsake.local.servers.processes import child_environment
from keepsake.project.folder import ProjectFolder, RunningStack

PAUSE = 0.05
_SECONDS_TO_STOP = 30.0

reapers: dict[int, threading.Thread] = {}
"""Who waits for the end of each stack that this process started; the stacks themselves may outlive it."""


def start(project: ProjectFolder, *, port: int, timeout: float = 120, auth_url: str | None = None) -> RunningStack:
    """Run ``keepsake up`` in the background, wait until it is ready, and say how to reach it."""
    project.create()
    log = project.log("up")
    options = ["--data", str(project.folder), "--port", str(port), *(["--auth-url", auth_url] if auth_url else [])]
    process: subprocess.Popen[bytes] | None = None
    try:
        with log.open("wb") as out, _deferred_signals():
            process = subprocess.Popen(
                [sys.executable, "-m", "keepsake.cli", "up", *options],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=_environment_without_databases(),
                start_new_session=True,
            )
            start_reaper(process)
        if (running := _wait_until_ready(project, process, timeout)) is not None:
            return running
    except BaseException:  # whoever waits was stopped: what was started for them is not left behind
        if process is not None:
            _end(process)
        raise
    _end(process)
    output = log.read_text(errors="replace").strip()
    raise KeepsakeError(output.splitlines()[-1] if output else "The stack did not start.", details=output)


def stop(project: ProjectFolder, *, timeout: float = 30) -> bool:
    """Ask a running stack to stop and wait until it has; False where none runs."""
    running = project.running()
    if running is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(running.pid, signal.SIGTERM)
    deadline = time.monotonic() + timeout
    while project.running() is not None:
        if time.monotonic() > deadline:
            raise Conflict(f"Process {running.pid} has not stopped after {timeout:.0f} s.")
        time.sleep(PAUSE)
    if reaper := reapers.pop(running.pid, None):
        reaper.join(timeout)
    return True


def wait_until_stopped(project: ProjectFolder) -> None:
    """Return once no stack runs, whoever stopped it."""
    while project.running() is not None:
        time.sleep(1)


def _wait_until_ready(project: ProjectFolder, process: subprocess.Popen[bytes], timeout: float) -> RunningStack | None:
    """How to reach the stack once it is ready; None if it ends before, or is too slow."""
    deadline = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < deadline:
        running = project.running()
        if running is not None and running.pid == process.pid:
            return running
        time.sleep(PAUSE)
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a stack that is starting, and whatever it has started if it does not do so itself."""
    with _deferred_signals():
        process.terminate()
        try:
            process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # a session of its own, so a group of its own
            process.wait()
        reapers.pop(process.pid).join()


@contextlib.contextmanager
def _deferred_signals() -> Iterator[None]:
    """Keep SIGTERM and SIGINT until the block has ended; threads that cannot handle signals leave them as they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, lambda received_number, _: received.append(received_number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])


def start_reaper(process: subprocess.Popen[bytes]) -> None:
    """Wait for the process in a thread, so that it never becomes a zombie."""
    reaper = threading.Thread(target=process.wait, name=f"reaper of {process.pid}", daemon=True)
    reaper.start()
    reapers[process.pid] = reaper


def _environment_without_databases() -> dict[str, str]:
    """The environment without database URLs, so that the stack uses its embedded database."""
    omitted = {"DATABASE_URL", "MIGRATION_DATABASE_URL"}
    return {name: value for name, value in child_environment().items() if name not in omitted}
