"""A visit of the chat page by a demo person, which notes what goes wrong and what travels."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from tests.architecture.source import ROOT

SCREENSHOTS = ROOT / "out"
LOADING = re.compile("^(Loading…|Wird geladen …)$")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MILLISECONDS = 60_000
DESKTOP, PHONE = (1360, 860), (390, 844)
expect.set_options(timeout=MILLISECONDS)


class Visit:
    """One browser window of one person."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        theme: str = "light",
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-US",
    ) -> None:
        self.url, self.theme = url, theme
        self.context = browser.new_context(
            color_scheme="dark" if theme == "dark" else "light",
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            accept_downloads=True,
        )
        self.context.set_default_timeout(MILLISECONDS)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.sent: list[str] = []
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._note_request)

    def enter(self, name: str) -> Page:
        """Open the page as a demo person, and answer the onboarding if it is shown."""
        self.page.goto(self.url)
        self.page.get_by_role("button", name=name).click()
        self.page.get_by_role("heading", name=f"Hello {name}").wait_for()
        agree = self.page.get_by_role("button", name="All right")
        agree.click()
        agree.wait_for(state="detached")
        return self.page

    def say(self, text: str) -> None:
        """Send a message with the keyboard, and wait for the end of the answer."""
        field = self.page.get_by_label("Write a message")
        field.fill(text)
        field.press("Enter")
        log = self.page.get_by_role("log")
        log.get_by_text(text).first.wait_for()
        self.page.locator('[role="log"][aria-busy="false"]').wait_for()

    def start_chat(self) -> None:
        """Start the chat that the dialog describes: what is behind it takes no keys before it has closed."""
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button", name="Start").click()
        dialog.wait_for(state="detached")

    def memory(self, text: str) -> Locator:
        """The panel's item with this text."""
        return self.page.locator(".ks-memory").filter(has_text=text)

    def screenshot(self, name: str) -> None:
        """Save what is shown to ``out/``, once it is loaded."""
        self.page.get_by_text(LOADING).first.wait_for(state="hidden")
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}-{self.theme}.png", animations="disabled")

    def violations(self) -> list[str]:
        """Return what axe-core finds wrong with what is shown."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = self.page.evaluate("axe.run({ resultTypes: ['violations'] })")
        return [
            f"{rule['id']}: {node['html'][:160]} {node['any'][:1]}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    def close(self) -> None:
        """Close the window."""
        self.context.close()

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)

    def _note_request(self, request: Request) -> None:
        self.sent.append(f"{request.url} {request.headers} {request.post_data}")
