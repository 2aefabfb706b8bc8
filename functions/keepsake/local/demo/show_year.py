"""Shows what is written of a longer time: a week, a month, a year, and the answer to "how was my October?"."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import cast
from uuid import uuid4
from zoneinfo import ZoneInfo

from keepsake.local.demo.backend import Row, invoke
from keepsake.local.demo.bundled_conversation import Chat, Turn
from keepsake.local.demo.bundled_year import months_before
from keepsake.local.demo.report import Report
from keepsake.local.demo.running_demo import RunningDemo

PERSON = "june"
MONTH_TABLE = "user_memory_monthly_summaries"
WEEK_TABLE = "user_memory_weekly_summaries"


def show_year(demo: RunningDemo, report: Report) -> None:
    """Replay more than a year of two people in two time zones, and show a week, a month and a comparison of one."""
    june, samir = demo.year.actors.values()
    report.section(
        "A year later",
        f"{june.name} ({june.timezone}) and {samir.name} ({samir.timezone}) have talked for thirteen months.",
    )
    start = time.monotonic()
    demo.replay_year()
    turns = sum(turn.author in demo.user_ids for chat in demo.year.chats for turn in chat.turns)
    seconds = time.monotonic() - start
    report.line(f"  {turns} turns replayed and every summary written that was due, in {seconds:.1f} s.\n", "dim")
    client = demo.clients[PERSON]
    months = cast(list[Row], client.table(MONTH_TABLE).select("*").order("year").order("month").execute().data)
    weeks = cast(list[Row], client.table(WEEK_TABLE).select("*").order("week_start_date").execute().data)
    if not months or not weeks:
        report.expect("There are summaries of weeks and months.", is_met=False)
        return
    _show_week(weeks[-1], report)
    _show_month(months[-1], report)
    _show_comparison(demo, report)
    _show_answer(demo, report)
    _check(demo, report, months, weeks)


def _show_week(week: Row, report: Report) -> None:
    report.code(f'client.table("{WEEK_TABLE}").select("*")')
    report.line(f"\n  The week from {week['week_start_date']} to {week['week_end_date']}", "bold")
    report.block("\n".join([week["emotional_summary"], week["summary"]]))


def _show_month(month: Row, report: Report) -> None:
    report.code(f'client.table("{MONTH_TABLE}").select("*")')
    about = f", about {', '.join(month['key_themes'])}" if month["key_themes"] else ""
    report.line(f"\n  {month['year']}-{month['month']:02}{about}", "bold")
    report.block("\n".join([month["emotional_summary"], month["cognitive_summary"]]))


def _show_comparison(demo: RunningDemo, report: Report) -> None:
    """Compare the month with the same month of the year before, as the person."""
    report.code('client.functions.invoke("compare-yearly-patterns")')
    found = invoke(demo.clients[PERSON], "compare-yearly-patterns")
    report.expect("The month is compared with that of the year before.", found["status"] == "compared")
    if found["comparison"] is None:
        return
    report.line(f"\n  {found['year']}-{found['month']:02}, and a year before", "bold")
    report.block(found["comparison"]["growth"])
    for heading, name in (("Stayed", "stayed"), ("Changed", "changed"), ("New", "appeared")):
        report.line(f"  {heading}", "bold")
        report.block("\n".join(found["comparison"][name]) or "Nothing.")


def _show_answer(demo: RunningDemo, report: Report) -> None:
    """Ask about the month in a new conversation."""
    actor = demo.year.actors[PERSON]
    month = months_before(datetime.now(ZoneInfo(actor.timezone)).date(), 1)
    question = Turn(id=uuid4(), at=datetime.now(UTC), author=PERSON, text=f"How was my {month:%B}?")
    chat = Chat(uuid4(), "Looking back", "chat", (PERSON,), (question,))
    demo.backend.open(chat)
    context = demo.send(chat, question)["context"]
    report.line(f"{actor.name}: “{question.text}”\n", style="bold")
    report.block(context)
    report.expect(f"The context for “{question.text}” contains the summary of the month.", "bakery" in context)
    news = "sister Adaeze is pregnant"
    report.expect("It says nothing twice.", context.lower().count(news.lower()) == 1)


def _check(demo: RunningDemo, report: Report, months: list[Row], weeks: list[Row]) -> None:
    actor, client = demo.year.actors[PERSON], demo.clients[PERSON]
    expected = {
        (at.year, at.month)
        for chat in demo.year.chats
        if chat.participants == (PERSON,)
        for at in [chat.turns[0].at.astimezone(ZoneInfo(actor.timezone))]
    }
    written = {(month["year"], month["month"]) for month in months}
    report.expect(
        f"Each of the {len(expected)} months in which {actor.name} spoke has its summary.", written == expected
    )
    own = str(demo.user_ids[PERSON])
    report.expect("She can read her own summaries only.", {row["user_id"] for row in [*months, *weeks]} == {own})
    plans = client.table("user_memory").select("memory_text, status").eq("memory_type", "goal").execute().data
    statuses = {str(plan["memory_text"]): plan["status"] for plan in cast(list[Row], plans)}
    report.expect(
        "Her plan of a bakery has come true: it is history, and “Owns a bakery” has taken its place.",
        statuses.get("Wants to open their own bakery one day") == "superseded",
    )
    _check_changes(demo, report)
    cited = all(row["source_ids"] for row in [*months, *weeks])
    report.expect("Every summary names the memories that it was written from.", cited)


def _check_changes(demo: RunningDemo, report: Report) -> None:
    """What the messages of the year have ended or said again."""
    of_june, of_samir = (_active_texts(demo, person) for person in demo.year.actors)
    report.expect(
        "Her bakery is remembered once, though she also speaks of a friend who works in it.",
        sum(text.endswith("a bakery") for text in of_june) == 1,
    )
    report.expect(
        "Samir's daughter is born: nobody is expecting her any more.",
        any("Leila" in text for text in of_samir) and not any("pregnant" in text for text in of_samir),
    )
    plans = [text for text in of_samir if text.startswith("Wants to run")]
    report.expect("He wants to run half a marathon, and no longer a whole one too.", len(plans) == 1)


def _active_texts(demo: RunningDemo, person: str) -> list[str]:
    query = demo.clients[person].table("user_memory").select("memory_text").eq("status", "active")
    return [str(row["memory_text"]) for row in cast(list[Row], query.execute().data)]
