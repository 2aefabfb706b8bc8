"""Helpers for child processes and ports: environment, free port, exit status, termination."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import Sequence

LOOPBACK = "127.0.0.1"


def child_environment() -> dict[str, str]:
    """Our environment for a child, without what libpq and PostgREST (``PG…``) would read from it behind our back."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def free_port() -> int:
    """A loopback port that nobody listens on; somebody may take it before you do, so be ready to ask again."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def exit_description(process: subprocess.Popen[bytes] | None) -> str | None:
    """How a process ended, in words; None while it runs, or where none was started."""
    if process is None or (code := process.poll()) is None:
        return None
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def terminate(process: subprocess.Popen[bytes], steps: Sequence[tuple[signal.Signals, float]]) -> None:
    """Signal a process until it is gone: each step is a signal and how many seconds to wait after it."""
    for sent_signal, patience in steps:
        process.send_signal(sent_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return
