"""A running stack and a real Chromium for the browser tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
from tests.browser.seed import NOW, Seed
from tests.browser.visit import Visit

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


@pytest.fixture(scope="package")  # its driver keeps an event loop running, in which no other test could start its own
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


@pytest.fixture(scope="package")
def project(browser: Browser) -> Iterator[ProjectFolder]:
    """A running stack with an empty database."""
    with TemporaryDirectory(prefix="keepsake-browser-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        background.start(project, port=0)
        yield project
        background.stop(project)


@pytest.fixture(scope="package")
def seed(project: ProjectFolder) -> Iterator[Seed]:
    """June, a demo person, with memories of every state, summaries, to-dos and names."""
    with Seed(project, "june@example.com") as seed:
        memory_ids = seed.remember(*(f"Baked bread number {number}" for number in range(1, 56)))
        seed.remember("Wants to open a bakery", memory_type="goal", pinned=True)
        seed.remember("Bakes before dawn", memory_type="pattern", source="llm_extraction")
        seed.remember("Works nights", profile_id=seed.add_profile("Work"))
        seed.remember("Played the flute", status="archived")
        seed.remember("Drives a fiat", created_at=NOW.isoformat(), doubted_at=NOW.isoformat())
        seed.summarize(memory_ids[:3])
        todo = {"source": "rule_extraction", "source_quote": "as I said"}
        seed.insert(
            "user_memory_todos",
            todo | {"kind": "commitment", "todo_text": "Call the oven builder", "due_date": "2020-01-31"},
            todo | {"kind": "habit", "todo_text": "Practice the cello", "due_date": None},
        )
        yield seed


@pytest.fixture(scope="package")
def june(browser: Browser, seed: Seed, project: ProjectFolder) -> Iterator[Visit]:
    """June at her desk, who has said a few things today."""
    visit = Visit(browser, project.running_or_raise().api_url)
    visit.enter("June")
    statements = {
        "pizza": "My favorite food is pizza.",
        "ramen": "My favorite food is ramen now.",
        "Lisbon": "I live in Lisbon.",
    }
    for word, text in statements.items():
        visit.say(text)
        expect(visit.memory(word)).to_be_visible()
    yield visit
    visit.close()
