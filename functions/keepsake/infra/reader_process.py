"""The process in which messages are read: takes one call after the other from its parent, and ends with it.

Run as ``python -m keepsake.infra.reader_process DESCRIPTOR SECONDS MODULE …``. The kernel kills it if a call takes
more than so many seconds of CPU, or if the parent is gone, because a running pattern reacts to nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1


def call_each(function: Callable[..., Result], calls: Sequence[Mapping[str, Any]]) -> list[Result]:
    """The results of a function for several sets of arguments."""
    return [function(**named) for named in calls]


def _serve(parent: Connection, seconds: float, modules: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is the parent's affair
    for module in modules:
        importlib.import_module(module)
    parent.send("ready")
    while True:
        call = parent.recv()
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends this process, whatever it does
        answer = _answer(*call)
        signal.setitimer(signal.ITIMER_PROF, 0)
        parent.send(answer)


def _answer(function: Any, arguments: Any, named: Any) -> tuple[bool, Any]:
    """Whether the call came to an end, and its result or what it raised."""
    try:
        return True, function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 (raised again in the parent)
        return False, error


def _end_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before the kernel was asked
        sys.exit()


if __name__ == "__main__":
    _end_with_parent(os.getppid())
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        _serve(Connection(int(sys.argv[1])), float(sys.argv[2]), sys.argv[3:])
