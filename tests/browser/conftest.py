"""A running stack and a real Chromium for the browser tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, sync_playwright

from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")  # its driver keeps an event loop running, in which no other test could start its own
def browser() -> Iterator[Browser]:
    """The machine's own Chromium; without one the tests are skipped, but never in CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs Chromium for the browser tests: apt-get install chromium")
        pytest.skip("There is no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def project(browser: Browser) -> Iterator[ProjectFolder]:
    """A running stack with an empty database."""
    with TemporaryDirectory(prefix="keepsake-browser-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        background.start(project, port=0)
        yield project
        background.stop(project)
