"""What a person decides in the memory panel, on every screen; at the end they erase everything."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from keepsake.project.folder import ProjectFolder
from tests.browser.seed import Seed
from tests.browser.visit import DESKTOP, PHONE, Visit

TABS = ["Memories", "To-dos", "Summaries", "Names", "Settings"]
SETTINGS = "**/rest/v1/user_memory_settings*"
GERMAN_TABS = ["Gemerkt", "Vorhaben", "Rückblicke", "Namen", "Optionen"]


def test_swiss__is_not_remembered_unless_one_says_so(june: Visit) -> None:
    page = june.page
    page.get_by_role("button", name="New chat").click()
    page.get_by_label("Kind of chat").select_option("Off the record")
    june.screenshot("new-chat")
    june.start_chat()
    remember = page.get_by_role("switch", name="Remember in this chat")
    expect(remember).to_have_accessible_description("Nothing is remembered: this chat is off the record.")
    expect(remember).to_have_attribute("aria-checked", "false")
    june.say("I love secret gardens.")
    june.screenshot("swiss")
    remember.click()
    expect(remember).to_have_attribute("aria-checked", "true")
    page.get_by_role("tab", name="Memories").click()
    expect(june.memory("secret gardens")).to_have_count(0)


def test_no_profile__is_not_remembered_until_one_takes_the_offer(june: Visit) -> None:
    page = june.page
    page.get_by_role("button", name="New chat").click()
    page.get_by_role("combobox", name="Profile").select_option("No profile (nothing is remembered)")
    june.start_chat()
    remember = page.get_by_role("switch", name="Remember in this chat")
    offer = "Switch this on to use your main profile here."
    expect(remember).to_have_accessible_description(
        f"Nothing is remembered: no profile is chosen for this chat. {offer}"
    )
    expect(remember).to_have_attribute("aria-checked", "false")
    remember.click()
    expect(remember).to_have_attribute("aria-checked", "true")


def _turn(switch: Locator, *, on: bool) -> None:
    """Click a switch, which follows a moment later: `Locator.check` would look for its new state at once."""
    expect(switch).to_be_checked(checked=not on)
    with switch.page.expect_response(SETTINGS):
        switch.click()
    expect(switch).to_be_checked(checked=on)


def test_settings__are_kept(june: Visit, seed: Seed) -> None:
    page = june.page
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_text("Memories are only made where you chose your main profile")).to_be_visible()
    _turn(page.get_by_role("checkbox", name="Feelings"), on=False)
    with page.expect_response(SETTINGS):
        page.get_by_label("Keep for: Facts").select_option("90 days")
    _turn(page.get_by_role("switch", name="Long-term memory"), on=True)
    _turn(page.get_by_role("switch", name="Use memory"), on=False)
    remember = page.get_by_role("switch", name="Remember in this chat")
    expect(remember).to_have_accessible_description("Memory is turned off.")
    june.screenshot("settings-off")
    _turn(page.get_by_role("switch", name="Use memory"), on=True)
    expect(remember).not_to_have_accessible_description("Memory is turned off.")
    (settings,) = seed.rows("user_memory_settings")
    assert "emotion" not in settings["allowed_types"]
    assert (settings["retention_days"], settings["long_term"], settings["enabled"]) == ({"fact": 90}, True, True)


@pytest.mark.parametrize(
    "theme, size, tabs",
    [
        ("dark", DESKTOP, TABS),
        ("german", PHONE, GERMAN_TABS),
    ],
)
def test_axe__finds_no_violation_in_any_tab(
    browser: Browser, june: Visit, theme: str, size: tuple[int, int], tabs: list[str]
) -> None:
    """With everything filled, in the dark, and in German, whose words are longer, on a phone; nothing is cut off."""
    locale = "de-DE" if theme == "german" else "en-US"
    visit = Visit(browser, june.url, theme=theme, size=size, locale=locale)
    page = visit.page
    page.goto(visit.url)
    page.get_by_role("button", name="June").click()
    if size == PHONE:
        page.get_by_role("button", name="Erinnerungen", exact=True).click()
    for tab in tabs:
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        visit.screenshot(f"panel-{tab.lower()}")
        assert visit.violations() == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        tab_list = page.get_by_role("tablist")
        assert tab_list.evaluate("element => element.scrollWidth - element.clientWidth") == 0
    assert visit.errors == []
    visit.close()


def test_data__is_exported_as_csv_and_erased_for_good(june: Visit, seed: Seed) -> None:
    """The last of her: nothing is left afterwards."""
    page = june.page
    page.get_by_role("tab", name="Settings").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    rows = list(csv.DictReader(StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
    assert {"Works nights", "Played the flute"} <= {row["memory_text"] for row in rows}
    page.get_by_role("button", name="Erase everything for good").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Nobody can bring them back")
    confirm = dialog.get_by_role("button", name="Erase for good")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("Type ERASE to confirm").fill("erase")
    june.screenshot("erase")
    assert june.violations() == []
    confirm.click()
    expect(page.locator(".ks-toast").filter(has_text="nothing is left")).to_be_visible()
    expect(page.locator(".ks-big")).to_have_text("0")
    tables = ("user_memory", "user_memory_todos", "user_memory_weekly_summaries", "user_memory_monthly_summaries")
    assert [row for table in tables for row in seed.rows(table)] == []
    june.screenshot("erased")
    assert june.errors == []


def test_traffic__holds_no_service_key(june: Visit, project: ProjectFolder) -> None:
    keys = project.keys()
    secrets: Any = (keys.secret_key, keys.service_role_key, keys.jwt_secret, keys.webhook_secret)
    assert len(june.sent) > 100
    assert not [line for line in june.sent if any(secret in line for secret in secrets)]
