"""Every part of the memory panel, in a real Chromium, for a person who has had a year with Keepsake."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.seed import MONTH, Seed
from tests.browser.visit import Visit


def _open(visit: Visit, text: str) -> Locator:
    """Open a memory of the list."""
    item = visit.memory(text)
    if item.get_attribute("data-open") is None:
        item.locator("button[aria-expanded]").click()
    return item


def test_details__show_the_quoted_words_the_chat_and_what_was_replaced(june: Visit) -> None:
    item = _open(june, "ramen")
    expect(item.locator("blockquote")).to_contain_text("ramen now")
    expect(item.locator("figcaption")).to_contain_text("My favorite food is pizza.")  # the title of the chat
    expect(item.locator(".ks-history")).to_contain_text("pizza")
    june.screenshot("details")


def test_list__is_filtered_by_type_profile_source_and_state_and_shows_older_ones(june: Visit) -> None:
    page = june.page
    expect(page.get_by_role("heading", name="Older")).to_be_visible()
    assert page.locator(".ks-memory").count() < 58
    page.get_by_role("button", name="Show more").click()
    expect(june.memory("Baked bread number 1").first).to_be_attached()
    page.get_by_role("button", name="Goals").click()
    expect(page.locator(".ks-memory")).to_have_count(1)
    expect(june.memory("Wants to open a bakery")).to_be_visible()
    page.get_by_role("button", name="Goals").click()
    page.get_by_role("button", name="Filters").click()
    profile = page.get_by_role("combobox", name="Profile", exact=True)
    profile.select_option("Work")
    expect(page.locator(".ks-memory")).to_have_count(1)
    june.screenshot("filters")
    profile.select_option("All profiles")
    page.get_by_role("combobox", name="Source", exact=True).select_option("Heard in a chat (AI)")
    expect(page.locator(".ks-memory")).to_have_count(1)
    expect(june.memory("Bakes before dawn")).to_be_visible()
    page.get_by_role("combobox", name="Source", exact=True).select_option("All sources")
    show = page.get_by_role("combobox", name="Show", exact=True)
    for state, text in (("Archived", "Played the flute"), ("Replaced or ended", "pizza")):
        show.select_option(state)
        expect(june.memory(text)).to_be_visible()
    show.select_option("Deleted")
    expect(page.get_by_text("There is nothing here.")).to_be_visible()
    show.select_option("Current")
    page.get_by_role("button", name="Filters").click()


def test_list__begins_with_what_is_pinned_and_can_show_nothing_else(june: Visit) -> None:
    page = june.page
    pinned = page.get_by_role("region", name="Pinned")
    first = page.locator(".ks-memory").first
    expect(pinned.locator(".ks-memory")).to_have_count(1)  # an old one, which the first page would not hold
    expect(first).to_contain_text("Wants to open a bakery")
    june.screenshot("pinned")
    _open(june, "Lives in Lisbon").get_by_role("button", name="Pin", exact=True).click()
    expect(pinned.locator(".ks-memory")).to_have_count(2)
    expect(first).to_contain_text("Lives in Lisbon")  # the newer one of the two
    expect(page.locator(".ks-memory-summary:focus")).to_have_count(1)
    page.get_by_role("group", name="Show only").get_by_role("button", name="Pinned").click()
    expect(page.locator(".ks-memory")).to_have_count(2)
    june.memory("Lives in Lisbon").get_by_role("button", name="Unpin").click()
    expect(page.locator(".ks-memory")).to_have_count(1)
    page.get_by_role("group", name="Show only").get_by_role("button", name="Pinned").click()
    expect(june.memory("Lives in Lisbon")).to_be_visible()


def test_list__holds_only_the_rows_near_what_one_sees(june: Visit) -> None:
    """However far one scrolls; a memory that is open or has the focus stays, and Tab reaches every row."""
    page, scroller = june.page, june.page.locator(".ks-tab-content[data-state=active]")
    while (more := page.get_by_role("button", name="Show more")).count():
        more.click()
        page.wait_for_function("() => !document.querySelector('.ks-more[disabled]')")
    last = page.locator(".ks-memory").last
    scroller.evaluate("element => element.scrollTo(0, element.scrollHeight)")
    expect(page.get_by_text("Baked bread number 1", exact=True)).to_be_in_viewport()
    expect(page.get_by_text("Baked bread number 55", exact=True)).to_have_count(0)
    assert page.locator(".ks-memory").count() < 58
    last.locator("button[aria-expanded]").click()
    scroller.evaluate("element => element.scrollTo(0, 0)")
    expect(page.get_by_text("Baked bread number 55", exact=True)).to_be_visible()
    expect(last).to_have_attribute("data-open", "true")
    texts = set()
    page.get_by_label("Search memories").focus()
    for _ in range(140):
        page.keyboard.press("Tab")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")  # drawn
        texts.add(page.evaluate("document.activeElement.querySelector('.ks-memory-text')?.textContent"))
    assert {f"Baked bread number {number}" for number in range(1, 56)} <= texts


def test_questions__of_doubt_and_of_an_agent_are_answered(june: Visit, seed: Seed) -> None:
    page = june.page
    june.say("We moved house last week.")
    doubts = page.get_by_role("region", name="May no longer be true")
    fiat, lisbon = (doubts.get_by_role("listitem").filter(has_text=text) for text in ("fiat", "Lives in Lisbon"))
    expect(lisbon).to_be_visible()
    doubts.scroll_into_view_if_needed()
    june.screenshot("doubt")
    lisbon.get_by_role("button", name="No longer true").click()
    expect(lisbon).to_have_count(0)
    fiat.get_by_role("button", name="Still true").click()
    expect(doubts).to_have_count(0)
    expect(page.locator(".ks-toast").filter(has_text="is confirmed")).to_be_visible()  # the database has it
    expect(june.memory("Lives in Lisbon")).to_have_count(0)
    expect(june.memory("Drives a fiat")).to_be_visible()
    (fact,) = seed.rows("user_memory", memory_text="eq.Drives a fiat")
    assert (fact["doubted_at"], fact["confidence_score"]) == (None, 1)
    assert seed.ask_to_forget("bakery")["status"] == "pending"
    request = page.get_by_role("region", name="An assistant asks to forget")
    expect(request).to_contain_text("Wants to open a bakery")
    june.screenshot("pending")
    request.get_by_role("button", name="Keep").click()
    expect(request).to_have_count(0)
    expect(june.memory("Wants to open a bakery")).to_be_visible()


def test_todos__are_done_reopened_edited_and_deleted(june: Visit, seed: Seed) -> None:
    page = june.page
    june.say("I need to call the dentist tomorrow.")
    page.get_by_role("tab", name="To-dos").click()
    dentist = page.get_by_role("checkbox", name="dentist")
    expect(dentist).to_be_visible()
    expect(page.get_by_text("was due Jan 31, 2020")).to_be_visible()
    june.screenshot("todos")
    dentist.click()
    page.get_by_text("Done or dropped (1)").click()
    expect(dentist).to_be_checked()
    page.locator(".ks-toast").filter(has_text="Done.").get_by_role("button", name="Undo").click()
    expect(dentist).not_to_be_checked()
    page.get_by_role("button", name="Edit: Practice the cello").click()
    page.get_by_label("Text of the to-do").fill("Practice the cello daily")
    page.get_by_label("Due", exact=True).fill("2030-05-01")
    june.screenshot("todo-editor")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("due May 1, 2030")).to_be_visible()
    expect(page.locator(".ks-toast").filter(has_text="was changed")).to_be_visible()  # the database has it
    page.get_by_role("button", name="Edit: Call the oven builder").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Call the oven builder")).to_have_count(0)
    page.locator(".ks-toast").filter(has_text="was deleted").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Call the oven builder")).to_be_visible()
    todos = {row["todo_text"]: row for row in seed.rows("user_memory_todos")}
    assert todos["Practice the cello daily"]["due_date"] == "2030-05-01"


def test_summaries__of_a_week_a_month_and_two_years_side_by_side(june: Visit) -> None:
    page = june.page
    page.get_by_role("tab", name="Summaries").click()
    archive = page.get_by_role("group", name="Summaries")
    expect(page.get_by_text("The bakery got its oven.")).to_be_visible()
    expect(page.get_by_text("from hopeful to tired")).to_be_visible()
    june.screenshot("week")
    archive.get_by_role("button", name="Months").click()
    expect(page.get_by_text("Planned the first winter of the bakery.")).to_be_visible()
    june.screenshot("month")
    archive.get_by_role("button", name="Years").click()
    expect(page.locator(".ks-development [data-part=appeared]")).to_contain_text("bakery")
    expect(page.locator(".ks-development [data-part=stayed]")).to_contain_text("Baked bread number 1")
    expect(page.locator(".ks-pair h3")).to_have_text([f"{MONTH:%B} {MONTH.year - 1}", f"{MONTH:%B} {MONTH.year}"])
    june.screenshot("year")
    archive.get_by_role("button", name="Themes").click()
    expect(page.get_by_role("rowheader", name="bakery")).to_be_visible()
    june.screenshot("themes")
    assert june.violations() == []


def test_summaries__of_every_kind_are_deleted_by_keyboard_and_brought_back(june: Visit, seed: Seed) -> None:
    page = june.page
    page.get_by_role("tab", name="Summaries").click()
    parts = page.get_by_role("group", name="Summaries")
    kinds = {
        "spine": ("Recent", "Bakes for a living"),
        "history_summaries": ("Recent", "Six days around the oven."),
        "daily_summaries": ("Recent", "Carried the flour in."),
        "session_summaries": ("Recent", "Asked about sourdough."),
        "weekly_summaries": ("Weeks", "The bakery got its oven."),
        "monthly_summaries": ("Months", "Planned the first winter of the bakery."),
    }
    for table, (part, text) in kinds.items():
        parts.get_by_role("button", name=part).click()
        card = page.locator(".ks-summary").filter(has_text=text)
        if table == "spine":
            june.screenshot("recent-summaries")
            assert june.violations() == []
        (before,) = (row for row in seed.rows(f"user_memory_{table}") if text in str(row))
        card.get_by_role("button", name="Delete").focus()
        page.keyboard.press("Enter")
        expect(card).to_have_count(0)
        toast = page.locator(".ks-toast").filter(has_text="The summary was deleted").last
        expect(toast).to_be_visible()
        assert page.evaluate("document.activeElement !== document.body"), "the focus stays in the panel"
        assert before["id"] not in [row["id"] for row in seed.rows(f"user_memory_{table}")]
        if table == "weekly_summaries":
            june.screenshot("week-deleted")
        toast.get_by_role("button", name="Undo").click()
        expect(card).to_be_visible()
        assert before["id"] in [row["id"] for row in seed.rows(f"user_memory_{table}")]


def test_names__are_renamed_and_proposed_ones_joined(june: Visit, seed: Seed) -> None:
    page = june.page
    june.say("My sister Adaeze is a nurse.")
    page.get_by_role("tab", name="Names").click()
    rename = page.get_by_role("button", name="Rename: Adaeze")
    rename.click()
    page.get_by_label("Name of Adaeze").fill("Ada")
    page.get_by_label("Name of Adaeze").press("Enter")
    expect(page.get_by_role("button", name="Rename: Ada", exact=True)).to_be_visible()
    keys = [row["key"] for row in seed.rows("user_memory_entities", key="neq.person:self")]
    seed.insert("user_memory_alias_proposals", {"key": keys[0], "variant": "person:addy", "similarity": 0.9})
    question = page.get_by_role("region", name="Are these the same?")
    expect(question).to_be_visible()
    june.screenshot("names")
    question.get_by_role("button", name="Different").click()
    expect(question).to_have_count(0)
    assert seed.rows("user_memory_alias_proposals")[0]["status"] == "refused"


def test_keyboard__reaches_everything(june: Visit) -> None:
    """Tabs by arrows, a memory by Enter, its editor and a dialog left by Escape, which give the focus back."""
    page = june.page
    page.get_by_role("tab", name="Names").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="Memories")).to_have_attribute("aria-selected", "true")
    page.get_by_label("Search memories").focus()
    page.keyboard.type("dawn")
    expect(page.locator(".ks-memory")).to_have_count(1)
    item = june.memory("Bakes before dawn")
    _press_until(page, "Tab", item.locator("button[aria-expanded]"))
    page.keyboard.press("Enter")
    edit = item.get_by_role("button", name="Edit")
    _press_until(page, "Tab", edit)
    page.keyboard.press("Enter")
    editor = page.get_by_label("Text of M-")
    expect(editor).to_be_focused()
    expect(item.get_by_role("button")).to_have_text(["Save", "Cancel"])
    june.screenshot("editor")
    page.keyboard.press("Escape")
    expect(editor).to_have_count(0)
    expect(item.locator("button[aria-expanded]")).to_be_focused()
    erase = item.get_by_role("button", name="Erase for good")
    erase.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(erase).to_be_focused()
    page.get_by_label("Search memories").fill("")


def _press_until(page: Page, key: str, wanted: Locator) -> None:
    """Press a key until something has the focus; fail where it never does."""
    for _ in range(20):
        page.keyboard.press(key)
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"{wanted} cannot be reached by {key}")
