"""The whole stack for each test, over a database of its own; and turns for the scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from keepsake.infra.readers import Readers
from keepsake.infra.settings import Settings
from tests.acceptance.backend import Backend, running
from tests.faults.asking import Asking
from tests.faults.backlog import Backlog, announced
from tests.faults.dying_worker import DyingWorker
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.model_server.running import ModelServer


@pytest.fixture
def backend(db: Clone, settings: Settings, clock: FixedClock, readers: Readers, tmp_path: Path) -> Iterator[Backend]:
    """A chat backend on the whole stack."""
    with running(db, settings, clock, readers, tmp_path) as stack:
        yield stack


@pytest.fixture
async def asking(scene: Scene, model: ModelServer) -> AsyncIterator[Asking]:
    """Ada, whose turns the scripted model reads; the test's `settings` must name it (`with_model`)."""
    functions = Functions()
    yield Asking(scene, functions, model.script)
    await functions.close()


@pytest.fixture
async def backlog(scene: Scene, model: ModelServer) -> Backlog:
    """Sixty turns, announced while the model is down; the test's `settings` must name it (`with_model`)."""
    model.down()
    return await announced(scene)


@pytest.fixture(scope="session")
def dying_worker() -> Iterator[DyingWorker]:
    """A worker that is killed or frozen at a step of its work."""
    with DyingWorker() as worker:
        yield worker
