"""Starts the stack as a process of its own, and stops one that runs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

from keepsake.errors import Conflict, KeepsakeError
from keepsake.local.servers.processes import environment
from keepsake.project.folder import Home, Running

PAUSE = 0.05

_reapers: dict[int, threading.Thread] = {}
"""Who waits for the end of each stack that this process started; the stacks themselves may outlive it."""


def start(home: Home, *, port: int, timeout: float = 120) -> Running:
    """Run ``keepsake up`` in the background, wait until it is ready, and say how to reach it."""
    home.make()
    log = home.log("up")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "keepsake.cli", "up", "--data", str(home.folder), "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=_without_databases(),
            start_new_session=True,
        )
    _reap(process)
    until = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < until:
        running = home.running()
        if running is not None and running.pid == process.pid:
            return running
        time.sleep(PAUSE)
    process.terminate()
    process.wait()
    _reapers.pop(process.pid).join()
    said = log.read_text(errors="replace").strip()
    raise KeepsakeError(said.splitlines()[-1] if said else "The stack did not start.", details=said)


def stop(home: Home, *, timeout: float = 30) -> bool:
    """Ask a running stack to stop and wait until it has; False where none runs."""
    running = home.running()
    if running is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(running.pid, signal.SIGTERM)
    until = time.monotonic() + timeout
    while home.running() is not None:
        if time.monotonic() > until:
            raise Conflict(f"Process {running.pid} has not stopped after {timeout:.0f} s.")
        time.sleep(PAUSE)
    if reaper := _reapers.pop(running.pid, None):
        reaper.join(timeout)
    return True


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for its end beside everything else, so that it is never a zombie and never holds anybody up."""
    reaper = threading.Thread(target=process.wait, name=f"reaper of {process.pid}", daemon=True)
    reaper.start()
    _reapers[process.pid] = reaper


def _without_databases() -> dict[str, str]:
    """The embedded database is meant, whatever the caller's environment points at."""
    theirs = {"DATABASE_URL", "MIGRATION_DATABASE_URL"}
    return {name: value for name, value in environment().items() if name not in theirs}
