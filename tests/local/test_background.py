"""A stack in the background outlives what started it, which need not look after it."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder

STARTER = """
import sys
from pathlib import Path
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
background.start(ProjectFolder(Path(sys.argv[1])), port=0)
"""


def test_background__goes_on_when_its_starter_ends_without_a_warning() -> None:
    with TemporaryDirectory(prefix="keepsake-background-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        command = [sys.executable, "-W", "error", "-c", STARTER, str(project.folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            assert (done.returncode, done.stderr) == (0, "")
            assert project.running()
        finally:
            background.stop(project)


def test_background__who_waits_for_its_end_goes_on_once_another_stops_it() -> None:
    """As `keepsake demo --keep` does when `keepsake down` is run in another terminal."""
    with TemporaryDirectory(prefix="keepsake-background-") as folder, ThreadPoolExecutor(1) as pool:
        project = ProjectFolder(Path(folder) / "data")
        background.start(project, port=0)
        try:
            waiting = pool.submit(background.wait_until_stopped, project)
            assert not waiting.done()
        finally:
            assert background.stop(project)
        waiting.result(timeout=30)
