"""Runs a server as a process of its own, until the end of a block."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from keepsake.local.servers.processes import LOOPBACK

_PATIENCE = 120.0


@contextmanager
def serving(command: Sequence[str], *, port: int, folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """The server's address, once it answers; the command is told the port by whoever calls."""
    url = f"http://{LOOPBACK}:{port}"
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(url, server)
            yield url
        finally:
            server.terminate()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended"
        try:
            httpx.get(url, timeout=60)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(url)
