"""Runs PostgREST, configured as Supabase configures it."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from keepsake.errors import DatabaseUnavailable
from keepsake.local.servers.npm_packages import postgrest_binary
from keepsake.local.servers.parent_death import bind_to_parent
from keepsake.local.servers.processes import LOOPBACK, child_environment, exit_description, free_port, terminate

SUPABASE_SETTINGS = {
    "PGRST_DB_SCHEMAS": "public",
    "PGRST_DB_EXTRA_SEARCH_PATH": "public, extensions",
    "PGRST_DB_ANON_ROLE": "anon",
    "PGRST_DB_MAX_ROWS": "1000",
    "PGRST_DB_AGGREGATES_ENABLED": "false",
    "PGRST_DB_POOL": "10",
    "PGRST_DB_POOL_ACQUISITION_TIMEOUT": "10",
    "PGRST_JWT_AUD": "authenticated",  # a token for anybody else is refused; the API keys name no audience
    "PGRST_OPENAPI_MODE": "follow-privileges",
    "PGRST_LOG_LEVEL": "crit",  # a request's query may quote a memory
}
START_ATTEMPTS = 3


class PostgREST:
    """One PostgREST process on a free loopback port, tied to this process like the database is."""

    def __init__(
        self,
        database_url: str,
        *,
        jwt_secret: str,
        log_file: Path,
        public_url: str = "",
        prepares_statements: bool = True,
    ) -> None:
        """``jwt_secret`` is an HS256 secret or a JWKS; ``public_url`` is what its OpenAPI document calls itself.

        Behind a pooler in transaction mode it must not prepare statements: the next one may be sent to another session.
        """
        self._settings = SUPABASE_SETTINGS | {"PGRST_DB_URI": database_url, "PGRST_JWT_SECRET": jwt_secret}
        self._settings["PGRST_DB_PREPARED_STATEMENTS"] = str(prepares_statements).lower()
        if public_url:
            self._settings["PGRST_OPENAPI_SERVER_PROXY_URI"] = public_url
        self.log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None
        self._ports = (0, 0)
        self.url = ""

    def start(self, *, timeout: float = 20) -> str:
        """Start, wait until the schema is loaded, and return the base URL."""
        try:
            for _attempt in range(START_ATTEMPTS):
                self._ports = port, admin_port = free_port(), free_port()
                self.url = f"http://{LOOPBACK}:{port}"
                self._process = self._launch(port, admin_port)
                if _is_ready(self._process, f"http://{LOOPBACK}:{admin_port}/ready", timeout):
                    return self.url
                self.stop()
        except BaseException:
            self.stop()
            raise
        log_tail = "\n".join(self.log_file.read_text(errors="replace").splitlines()[-6:])
        raise DatabaseUnavailable(
            f"PostgREST did not start; its log is {self.log_file}.", details=log_tail, retry_after=1
        )

    @property
    def live_url(self) -> str:
        """What answers as long as the process is able to."""
        return f"http://{LOOPBACK}:{self._ports[1]}/live"

    def kill(self) -> None:
        """End a process that does not answer any more; ``exit_status`` then says so."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def exit_status(self) -> str | None:
        """How the process ended unexpectedly; None while it runs."""
        return exit_description(self._process)

    def restart(self) -> None:
        """Start anew at the same URL what has ended, without waiting until it answers."""
        self._process = self._launch(*self._ports)

    def stop(self) -> None:
        """Stop the process and wait until it is gone; calling it twice does no harm."""
        if self._process is not None:
            terminate(self._process, ((signal.SIGTERM, 5), (signal.SIGKILL, 5)))
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _launch(self, port: int, admin_port: int) -> subprocess.Popen[bytes]:
        ports = {"PGRST_SERVER_PORT": str(port), "PGRST_ADMIN_SERVER_PORT": str(admin_port)}
        with self.log_file.open("ab") as log:
            return subprocess.Popen(
                bind_to_parent([str(postgrest_binary())], death_signal=signal.SIGKILL),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=child_environment() | self._settings | ports | {"PGRST_SERVER_HOST": LOOPBACK},
                start_new_session=True,
            )


def _is_ready(process: subprocess.Popen[bytes], ready_url: str, timeout: float) -> bool:
    deadline = time.monotonic() + timeout
    with httpx.Client(trust_env=False, timeout=2) as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if client.get(ready_url).status_code == httpx.codes.OK:
                    return True
            except httpx.TransportError:
                pass
            time.sleep(0.02)
    return False
