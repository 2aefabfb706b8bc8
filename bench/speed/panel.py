"""How fast the memory panel answers a person who has 1,000 memories, measured in a real Chromium.

``python -m bench.speed.panel``: starts a stack, fills it, and opens the chat page. Three figures for each interaction:
until the next paint, as the browser reports it (Event Timing API, in steps of 8 ms; below 16 ms it reports nothing),
until the result that the person waits for is on the screen, the server's answer included, and how long the page's main
thread worked until then, which depends least on what else the machine does.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.harness.sayings import sentences
from bench.harness.timing import machine, p50, p95, show
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder

MEMORIES = 1_000
ROUNDS = 12
_OBSERVE = """
for (const name of ["pointerdown", "keydown"])
  addEventListener(name, (event) => (window.began ??= event.timeStamp), { capture: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.interactions.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: false });
"""
_LIST_HEIGHT = "[...document.querySelectorAll('.ks-memories')].reduce((sum, each) => sum + each.offsetHeight, 0)"
_SETTLE = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"
_REPORTED_FROM = 16.0


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    print(machine())
    with _stack() as project, _page(project.running_or_raise().api_url) as page:
        _fill(project, page)
        elements = page.locator("*").count()
        measured = {each.name: _repeat(page, each, rounds) for each in _interactions(page)}
    rows = []
    for name, times in measured.items():
        paints, results, work = zip(*times, strict=True)
        figures = (p50(paints), max(paints), p50(results), p95(results), p50(work))
        rows.append((name, *(f"{figure:.0f}" for figure in figures)))
    headings = ("", "next paint p50, ms", "most", "result p50, ms", "p95", "main thread p50, ms")
    show(f"The panel with {MEMORIES:,} memories, {elements:,} elements in the page, {rounds} rounds", headings, rows)


@contextmanager
def _stack() -> Iterator[ProjectFolder]:
    with TemporaryDirectory(prefix="keepsake-panel-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        background.start(project, port=0)
        try:
            yield project
        finally:
            background.stop(project)


@contextmanager
def _page(url: str) -> Iterator[Page]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport={"width": 1360, "height": 860})
        page.goto(url)
        yield page
        browser.close()


def _fill(project: ProjectFolder, page: Page) -> None:
    """Sign a demo person in, give them their memories, and let the page read them all."""
    with httpx.Client(base_url=project.running_or_raise().api_url, timeout=120) as client:
        user_id = client.post("/chat/sign-in", json={"email": "nora@example.com"}).json()["user_id"]
        headers = {"apikey": project.keys().secret_key}
        profiles = client.get("/rest/v1/user_profile_list", params={"user_id": f"eq.{user_id}"}, headers=headers).json()
        row = {"user_id": user_id, "profile_id": profiles[0]["id"], "source": "import"}
        texts = sentences(random.Random(7))  # noqa: S311 (the same texts every time)
        rows = [row | {"memory_type": kind, "memory_text": text} for kind, _, text in islice(texts, MEMORIES)]
        client.post("/rest/v1/user_memory", json=rows, headers=headers).raise_for_status()
    page.get_by_role("button", name="Nora").click()
    page.get_by_role("button", name="All right").click()
    while (more := page.get_by_role("button", name="Show more")).count():
        before = page.evaluate(_LIST_HEIGHT)
        more.click()
        page.wait_for_function(f"() => {_LIST_HEIGHT} > {before}")
    page.get_by_label("Search memories").scroll_into_view_if_needed()
    page.evaluate(_SETTLE)
    page.evaluate(_OBSERVE)


@dataclass(frozen=True, slots=True)
class Interaction:
    """What a person does, when its result is on the screen, and how to take it back; the last two in JavaScript."""

    name: str
    act: Callable[[], Any]
    result: str
    reset: Callable[[], Any]
    is_reset: str
    prepare: Callable[[], Any] | None = None
    """What has to be done once before."""


def _interactions(page: Page) -> list[Interaction]:
    search, first = page.get_by_label("Search memories"), page.locator(".ks-memory").first
    goals = page.get_by_role("button", name="Goals")
    is_whole = f"{_LIST_HEIGHT} > {page.evaluate(_LIST_HEIGHT)} * 0.9"
    in_open = "document.querySelector('.ks-memory[data-open] {}')"
    body, pin, editor = (in_open.format(part) for part in (".ks-memory-body", "[data-kind=pin]", ".ks-editor"))

    def button(name: str) -> Callable[[], Any]:
        return lambda: page.locator(".ks-memory[data-open]").get_by_role("button", name=name, exact=True).click()

    def toggle() -> None:
        first.locator("button").first.click()

    def escape() -> None:
        page.keyboard.press("Escape")

    def tab(name: str) -> Callable[[], Any]:
        return lambda: page.get_by_role("tab", name=name).click()

    return [
        Interaction("open a memory", toggle, body, toggle, f"!{body}"),
        Interaction("begin to edit it", button("Edit"), editor, escape, f"!{editor}", toggle),
        Interaction("pin it", button("Pin"), pin, button("Unpin"), f"!{pin}"),
        Interaction(
            "show one type",
            goals.click,
            "[...document.querySelectorAll('.ks-memory')].every((each) => each.dataset.type === 'goal')",
            goals.click,
            is_whole,
        ),
        Interaction(
            "type a letter of a search",
            lambda: search.press("c"),
            "document.querySelector('.ks-count')",
            lambda: search.fill(""),
            is_whole,
        ),
        Interaction(
            "open the settings",
            tab("Settings"),
            "document.querySelector('.ks-settings')",
            tab("Memories"),
            is_whole,
        ),
    ]


def _repeat(page: Page, interaction: Interaction, rounds: int) -> list[tuple[float, float, float]]:
    if interaction.prepare:
        interaction.prepare()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    return [_measure(page, devtools, interaction) for _ in range(rounds)]


def _measure(page: Page, devtools: CDPSession, interaction: Interaction) -> tuple[float, float, float]:
    """Milliseconds until the next paint, until the result is on the screen, and of work until then."""
    page.evaluate("() => { window.interactions = []; window.began = undefined; }")
    before = _work(devtools)
    interaction.act()
    found = page.wait_for_function(f"() => ({interaction.result}) && performance.now() - window.began")
    page.evaluate(_SETTLE)
    work = _work(devtools) - before
    paints: list[float] = page.evaluate("() => window.interactions")
    interaction.reset()
    page.wait_for_function(f"() => {interaction.is_reset}")
    page.evaluate(_SETTLE)
    return max(paints, default=_REPORTED_FROM), float(found.json_value()), work


def _work(devtools: CDPSession) -> float:
    """Milliseconds that the tasks of the page's main thread have taken so far."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()
