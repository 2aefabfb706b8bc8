"""The worker that is killed or frozen, as tests speak to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY


class DyingWorker:
    """The process of ``dying.py``, for one test after another: it takes seconds to start."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("dying.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def work(
        self, database_url: str, named: dict[str, str], step: int | None, *, how: int, **settings: Any
    ) -> dict[str, Any]:
        """What becomes of what is named, where the worker gets a signal before a step."""
        given = {
            "database_url": database_url,
            "supabase_jwt_secret": JWT_SECRET,
            "supabase_secret_key": SECRET_KEY,
            "log_level": "error",
            **settings,
        }
        return self._ask({"settings": given, **named, "step": step, "signal": how})

    def go_on(self) -> dict[str, Any]:
        """What becomes of the one that stopped last."""
        return self._ask(None)

    def _ask(self, given: dict[str, Any] | None) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(given) + "\n")
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Let it end, and with it whatever it has stopped."""
        self._process.communicate()
