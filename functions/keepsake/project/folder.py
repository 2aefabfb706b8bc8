"""The folder of a local project: keys, database, logs, and the state of its running stack."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from keepsake.errors import Conflict, NotFound
from keepsake.project.keys import Keys


@dataclass(frozen=True, slots=True)
class RunningStack:
    """The state of a running stack."""

    pid: int
    api_url: str
    db_url: str
    functions_url: str
    embedded: bool
    """Whether the database is ours; of somebody else's server, nothing is changed unasked."""
    settings: dict[str, str] = field(default_factory=dict)
    """What the environment told it beside that, by the variables' names; secrets are not among it."""
    has_model_key: bool = False
    """Whether it knows a key for its language model, which is not written down."""
    auth_url: str | None = None
    """Where people sign in, if by Supabase Auth."""


@dataclass(frozen=True, slots=True)
class ProjectFolder:
    """``.keepsake/``, or wherever ``--data`` says."""

    folder: Path

    @property
    def database_dir(self) -> Path:
        """The embedded server's data."""
        return self.folder / "postgres"

    def log(self, name: str) -> Path:
        """Return the log file of a part of the stack."""
        return self.folder / f"{name}.log"

    def logs(self) -> tuple[Path, ...]:
        """Return all log files of the stack."""
        return tuple(sorted(self.folder.glob("*.log")))

    def keys(self) -> Keys:
        """Return the project's keys; they are created the first time."""
        self.create()
        return Keys.load_or_create(self.folder / "keys.json")

    def create(self) -> None:
        """Create the folder, closed to others, with a .gitignore."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the lock of the one process that may run this stack; it is released if the process is killed."""
        self.create()
        with (self.folder / "running.lock").open("a") as lock:
            if not _try_lock(lock):
                raise self._already_running()
            self._state_file.unlink(missing_ok=True)  # a killed stack could not
            try:
                yield
            finally:
                self._state_file.unlink(missing_ok=True)

    def write_state(self, running: RunningStack) -> None:
        """Write the state file of the running stack, readable by its owner only."""
        new = self._state_file.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            json.dump(asdict(running), out)
        new.replace(self._state_file)

    def running(self) -> RunningStack | None:
        """Return the running stack, if there is one."""
        try:
            with (self.folder / "running.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return self._read_state()
        except FileNotFoundError:
            pass
        return None

    def running_or_raise(self) -> RunningStack:
        """Return the running stack, or raise NotFound."""
        running = self.running()
        if running is None:
            raise NotFound(
                f"Keepsake is not running in {self.folder}.",
                hint="Start it with `keepsake up`, or name the folder of one that runs: `--data FOLDER`.",
            )
        return running

    def owner_url(self) -> str:
        """Return the owner's URL of the running stack, or raise NotFound."""
        running = self.running()
        if running is None:
            raise NotFound(
                f"MIGRATION_DATABASE_URL is not set, and no stack is running in {self.folder}.",
                hint="Set it to the URL of the database's owner, or start a stack with `keepsake up`.",
            )
        return running.db_url

    @property
    def _state_file(self) -> Path:
        return self.folder / "running.json"

    def _read_state(self) -> RunningStack | None:
        try:
            return RunningStack(**json.loads(self._state_file.read_text()))
        except FileNotFoundError:  # it is only starting
            return None

    def _already_running(self) -> Conflict:
        other = self._read_state()
        state = f"at {other.api_url} (process {other.pid})" if other else "and has not finished starting"
        return Conflict(f"Keepsake is already running {state}.", hint="Another --data and --port run a second one.")


def _try_lock(lock: TextIO) -> bool:
    """Try to take the lock, a few times, as another process may be testing it just now."""
    for _attempt in range(4):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            return True
    return False
