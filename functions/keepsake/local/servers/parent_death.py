"""Runs a command that ends when its parent process ends, and drops root's privileges.

A stack that is killed outright cannot stop what it started. On Linux the kernel does it: the command asks for a
signal at its parent's death. Elsewhere the next start finds the orphan and stops it. This file is run as a script
by a bare interpreter (nothing of Keepsake is imported), because a fork that runs Python code is unsafe beside threads.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import signal
import sys

PR_SET_PDEATHSIG = 1


def bind_to_parent(command: list[str], *, death_signal: signal.Signals, user: str | None = None) -> list[str]:
    """The command line that runs ``command`` tied to the process which starts it."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(death_signal)), user or "", *command]


def _switch_user(user: str) -> None:
    entry = pwd.getpwnam(user)
    os.initgroups(user, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    os.environ["HOME"] = entry.pw_dir


def _die_with_parent(parent: int, death_signal: int) -> None:
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before the kernel was asked
        os._exit(1)


def _main(parent: str, death_signal: str, user: str, *command: str) -> None:
    if user:
        _switch_user(user)  # first, because changing the user clears the request that follows
    _die_with_parent(int(parent), int(death_signal))
    os.execv(command[0], command)


if __name__ == "__main__":
    _main(*sys.argv[1:])
