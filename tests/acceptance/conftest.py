"""The whole stack for each test, over a database of its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from keepsake.infra.readers import Readers
from keepsake.infra.settings import Settings
from tests.acceptance.backend import Backend, running
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone


@pytest.fixture
def backend(db: Clone, settings: Settings, clock: FixedClock, readers: Readers, tmp_path: Path) -> Iterator[Backend]:
    """A chat backend on the whole stack."""
    with running(db, settings, clock, readers, tmp_path) as stack:
        yield stack


@pytest.fixture
def silent_url() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
