"""A person chats on the page of `keepsake up`, in a real Chromium, and rules over what is remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from keepsake.operations.local_users import sign_in
from keepsake.project.folder import ProjectFolder
from tests.browser.visit import PHONE, Visit

PEANUTS = "I'm allergic to peanuts."
_NOTE_TOASTS = """
() => {
  window.toasts = [];
  const note = () => window.toasts.push(...[...document.querySelectorAll(".ks-toast")].map((each) => each.textContent));
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
}
"""
MARKUP = "<img src=x onerror=\"document.title='broken'\"> <b>bold</b>"


@pytest.fixture(scope="module")
def nora(browser: Browser, project: ProjectFolder) -> Iterator[Visit]:
    """Nora, who has said one thing that is remembered."""
    visit = Visit(browser, project.running_or_raise().api_url)
    visit.enter("Nora")
    visit.say(PEANUTS)
    expect(visit.page.locator(".ks-toast")).to_contain_text("peanuts")
    yield visit
    visit.close()


def test_sign_in__takes_the_token_of_somebody_else(browser: Browser, project: ProjectFolder) -> None:
    token = sign_in(project, "you@example.com", lifetime=timedelta(hours=1), say=lambda _: None)
    visit = Visit(browser, project.running_or_raise().api_url)
    visit.page.goto(visit.url)
    visit.page.get_by_text("Somebody else").click()
    visit.page.get_by_label("Token").fill(token)
    assert visit.violations() == []
    visit.page.get_by_role("button", name="Sign in").click()
    expect(visit.page.get_by_role("heading", name="Hello You")).to_be_visible()
    expect(visit.page.get_by_role("dialog").locator(":focus")).to_have_count(1)
    visit.close()


def test_toast__says_what_was_saved_and_undoes_it(nora: Visit) -> None:
    nora.say("I love sailing.")
    toast = nora.page.locator(".ks-toast").filter(has_text="sailing")
    expect(toast).to_contain_text("This was saved")
    nora.screenshot("saved")
    toast.get_by_role("button", name="Undo").click()
    expect(nora.page.get_by_text("It was not kept.").first).to_be_visible()
    expect(nora.memory("sailing")).to_have_count(0)


def test_chip__shows_its_memory_and_opens_it_in_the_panel(nora: Visit) -> None:
    nora.say("What should I cook tonight?")
    chip = nora.page.get_by_role("button", name="in the memory panel").last
    expect(nora.page.locator(".ks-chips").last.get_by_role("button").first).to_have_text("Allergic to peanuts")
    chip.focus()
    tooltip = nora.page.locator(".ks-tooltip:popover-open")
    expect(tooltip).to_be_visible()
    expect(chip).to_have_accessible_description(tooltip.inner_text())
    nora.screenshot("tooltip")
    nora.page.keyboard.press("Escape")
    expect(tooltip).to_have_count(0)
    nora.page.mouse.move(0, 0)
    chip.hover()
    expect(tooltip).to_be_visible()
    chip.press("Enter")
    opened = nora.page.locator(".ks-memory[data-open]")
    expect(opened).to_be_visible()
    expect(opened.locator("button[aria-expanded=true]")).to_be_focused()
    nora.screenshot("chip")


def test_search__marks_the_words(nora: Visit) -> None:
    nora.page.get_by_label("Search memories").fill("peanuts")
    expect(nora.page.get_by_text("1 memory found")).to_be_visible()
    expect(nora.page.locator("mark").first).to_have_text("peanuts")
    nora.screenshot("search")
    nora.page.get_by_label("Search memories").fill("")
    expect(nora.page.locator("mark")).to_have_count(0)  # the whole list is back, and takes the place of the found one


def test_memory__is_edited_pinned_deleted_and_brought_back(nora: Visit) -> None:
    page, item = nora.page, nora.memory("peanuts")
    if not item.get_attribute("data-open"):
        item.locator("button[aria-expanded]").click()
    item.get_by_role("button", name="Edit").click()
    editor = page.get_by_label("Text of M-")
    editor.fill(MARKUP)
    editor.press("Enter")
    edited = nora.memory(MARKUP)
    expect(edited).to_be_visible()
    edited.get_by_role("button", name="Pin").click()
    expect(edited.get_by_text("Pinned", exact=True)).to_be_attached()
    nora.screenshot("memory")
    edited.get_by_role("button", name="Delete").click()
    expect(edited).to_have_count(0)
    expect(page.locator(".ks-memory-summary:focus")).to_be_visible()  # that of the next memory
    toast = page.locator(".ks-toast").filter(has_text="was deleted")
    toast.get_by_role("button", name="Undo").click()
    expect(nora.memory(MARKUP)).to_be_visible()
    assert page.locator(".ks-panel img").count() == 0
    assert page.title() == "Keepsake"


def test_settings__pause_turns_the_icon_gray_with_the_reason(nora: Visit) -> None:
    page = nora.page
    page.get_by_role("tab", name="Settings").press("Enter")
    page.get_by_role("switch", name="Build memory").click()
    remember = page.get_by_role("switch", name="Remember in this chat")
    expect(remember).to_have_attribute("aria-checked", "false")
    expect(remember).to_have_accessible_description("Nothing new is remembered: memory is paused.")
    remember.press("Enter")  # changes nothing, and says why where there is no pointer to hover with
    expect(page.locator(".ks-toast").filter(has_text="memory is paused")).to_be_visible()
    nora.screenshot("paused")
    page.get_by_role("switch", name="Build memory").click()
    expect(remember).to_have_attribute("aria-checked", "true")


def test_data__is_exported_cleared_brought_back_and_imported(nora: Visit, tmp_path: Path) -> None:
    page = nora.page
    page.get_by_role("tab", name="Settings").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export JSON").click()
    exported = json.loads(Path(download.value.path()).read_text())
    assert exported["complete"] is True
    total = page.locator(".ks-big").inner_text()
    page.get_by_role("button", name="Delete all memories").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text(f"Delete {total} memories?")
    nora.screenshot("clear")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.locator(".ks-big")).to_have_text("0")
    page.locator(".ks-toast").filter(has_text="deleted").last.get_by_role("button", name="Undo").click()
    expect(page.locator(".ks-big")).to_have_text(total)
    file = tmp_path / "memories.json"
    rows = [{"memory_text": "Likes hiking"}, {"memory_text": "The password is hunter2!x9"}]
    file.write_text(json.dumps([*rows, {"memory_text": "Likes tea", "valid_from": "some day"}]))
    page.get_by_label("File to import").set_input_files(file)
    report = page.get_by_role("dialog")
    expect(report).to_contain_text("1 of 3 rows were imported.")
    expect(report.get_by_text("Row 2")).to_have_text("Row 2: contains a secret (memory_text)")
    expect(report.get_by_text("Row 3")).to_have_text("Row 3: cannot be read (valid_from: not_a_date)")
    nora.screenshot("import")
    report.get_by_role("button", name="Close").click()


@pytest.mark.parametrize("tab", ["Memories", "Summaries", "Names", "Settings"])
def test_axe__finds_no_violation(nora: Visit, tab: str) -> None:
    nora.page.get_by_role("tab", name=tab).click()
    nora.screenshot(tab.lower())
    assert nora.violations() == []


def test_second_person__sees_nothing_of_the_first(browser: Browser, nora: Visit, project: ProjectFolder) -> None:
    """In the dark, so that these screenshots exist too."""
    teo = Visit(browser, nora.url, theme="dark")
    page = teo.enter("Teodor")
    assert "hiking" not in page.content()
    teo.say("I want to run a half marathon in May.")
    expect(teo.memory("marathon")).to_be_visible()
    teo.screenshot("chat")
    assert teo.violations() == []
    assert teo.errors == []
    teo.close()


def test_phone__shows_the_panel_in_place_of_the_chat(browser: Browser, nora: Visit) -> None:
    phone = Visit(browser, nora.url, size=PHONE, theme="phone")
    page = phone.page
    page.goto(phone.url)
    page.get_by_role("button", name="Nora").click()
    page.get_by_label("Write a message").wait_for()
    assert phone.violations() == []
    phone.screenshot("chat")
    page.get_by_role("button", name="Memory", exact=True).click()
    expect(page.get_by_label("Write a message")).to_be_hidden()
    expect(page.get_by_role("button", name="Close", exact=True)).to_be_focused()
    assert phone.violations() == []
    phone.screenshot("panel")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_label("Write a message")).to_be_visible()
    expect(page.get_by_role("button", name="Memory", exact=True)).to_be_focused()
    end = "(log) => log.scrollHeight - log.scrollTop - log.clientHeight"
    assert page.get_by_role("log").evaluate(end) <= 16  # the newest message is in sight
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    phone.close()


def test_server__that_is_away_is_said_in_plain_words_and_nothing_is_lost(nora: Visit) -> None:
    """A message comes back, a change is taken back, what was read stays; and all goes on when the server is back."""
    page, field = nora.page, nora.page.get_by_label("Write a message")
    page.get_by_role("tab", name="Memories").click()
    page.route("**/rest/v1/**", lambda route: route.abort())
    field.fill("I play chess.")
    field.press("Enter")
    alert = page.get_by_role("alert").filter(has_text="Your message was not sent")
    expect(alert).to_contain_text("Keepsake cannot be reached. Check your connection, and try again in a moment.")
    expect(alert).to_be_in_viewport()
    expect(alert.get_by_text("Failed to fetch")).to_be_hidden()
    expect(field).to_have_value("I play chess.")
    status = page.get_by_role("region", name="Memory").locator("[role=status].ks-connection")
    expect(status).to_contain_text("What you see may be out of date. Keepsake cannot be reached.")
    item = nora.memory("hiking")
    item.locator("button[aria-expanded]").click()
    item.get_by_role("button", name="Delete").click()
    toast = page.locator(".ks-toast[data-error]")
    expect(toast).to_contain_text("Keepsake cannot be reached. Check your connection, and try again in a moment.")
    expect(item).to_be_visible()
    toast.get_by_text("Details").click()
    expect(toast.get_by_text("Failed to fetch")).to_be_visible()
    assert nora.violations() == []
    nora.screenshot("away")
    page.unroute("**/rest/v1/**")
    expect(status).to_be_empty()
    nora.errors.clear()
    nora.say("I play chess.")
    expect(alert).to_have_count(0)


def test_german__is_spoken_to_a_german_browser(browser: Browser, nora: Visit) -> None:
    visit = Visit(browser, nora.url, locale="de-DE")
    visit.page.route("**/chat/setup", lambda route: route.abort())
    visit.page.goto(visit.url)
    expect(visit.page.get_by_role("alert")).to_contain_text("Keepsake ist nicht erreichbar. Prüfe deine Verbindung")
    visit.page.unroute("**/chat/setup")  # and the page asks again
    visit.page.get_by_role("button", name="Nora").click()
    expect(visit.page.get_by_role("tab", name="Gemerkt")).to_be_visible()
    visit.screenshot("german")
    visit.close()


def test_toast__comes_for_each_of_two_messages(nora: Visit) -> None:
    """However late what the first one said is remembered."""
    nora.page.evaluate(_NOTE_TOASTS)
    nora.say("I have a dog named Rex.")
    nora.say("I live in Porto.")
    for word in ("Rex", "Porto"):
        nora.page.wait_for_function("(word) => window.toasts.some((text) => text.includes(word))", arg=word)


def test_browser__never_sends_a_service_key_and_logs_no_error(nora: Visit, project: ProjectFolder) -> None:
    keys = project.keys()
    secrets = (keys.secret_key, keys.service_role_key, keys.jwt_secret, keys.webhook_secret)
    assert len(nora.sent) > 20
    assert not [line for line in nora.sent if any(secret in line for secret in secrets)]
    assert nora.errors == []
