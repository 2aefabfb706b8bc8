"""Starts the local stack as a background process, and stops it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

from keepsake.errors import Conflict, KeepsakeError
from keepsake.local.servers.processes import child_environment
from keepsake.project.folder import ProjectFolder, RunningStack

PAUSE = 0.05

reapers: dict[int, threading.Thread] = {}
"""Who waits for the end of each stack that this process started; the stacks themselves may outlive it."""


def start(project: ProjectFolder, *, port: int, timeout: float = 120, auth_url: str | None = None) -> RunningStack:
    """Run ``keepsake up`` in the background, wait until it is ready, and say how to reach it."""
    project.create()
    log = project.log("up")
    options = ["--data", str(project.folder), "--port", str(port), *(["--auth-url", auth_url] if auth_url else [])]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "keepsake.cli", "up", *options],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=_environment_without_databases(),
            start_new_session=True,
        )
    start_reaper(process)
    deadline = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < deadline:
        running = project.running()
        if running is not None and running.pid == process.pid:
            return running
        time.sleep(PAUSE)
    process.terminate()
    process.wait()
    reapers.pop(process.pid).join()
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


def start_reaper(process: subprocess.Popen[bytes]) -> None:
    """Wait for the process in a thread, so that it never becomes a zombie."""
    reaper = threading.Thread(target=process.wait, name=f"reaper of {process.pid}", daemon=True)
    reaper.start()
    reapers[process.pid] = reaper


def _environment_without_databases() -> dict[str, str]:
    """The environment without database URLs, so that the stack uses its embedded database."""
    omitted = {"DATABASE_URL", "MIGRATION_DATABASE_URL"}
    return {name: value for name, value in child_environment().items() if name not in omitted}
