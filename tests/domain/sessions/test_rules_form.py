"""Session summaries and rolling summaries quote what is stored, and nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.sessions.rules_form import describe_session, write_session_summary
from keepsake.domain.sessions.session_summary import LastSession, SessionSources, SourceTodo
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory

THURSDAY = date(2024, 10, 31)


def memory(number: int, text: str, *, type: MemoryType = MemoryType.FACT, **columns: object) -> SourceMemory:
    given = {"subtype": Subtype.OTHER, "day": THURSDAY, **columns}
    return SourceMemory(id=UUID(int=number), type=type, text=text, **given)  # type: ignore[arg-type]


SOURCES = SessionSources(
    [
        memory(1, "Likes ramen"),
        memory(2, "Anna is a nurse", importance=2, entity_label="Anna", entity_refs=("person:anna",)),
        memory(3, "Feels tired", type=MemoryType.EMOTION),
        memory(4, "Feels happy", type=MemoryType.EMOTION),
    ],
    [
        SourceTodo(UUID(int=5), TodoKind.COMMITMENT, "Call the dentist", "open"),
        SourceTodo(UUID(int=6), TodoKind.COMMITMENT, "Buy a fridge", "done"),
        SourceTodo(UUID(int=7), TodoKind.THREAD, "Hear back from Acme", "open"),
    ],
)


def test_session_summary__has_every_field() -> None:
    summary = write_session_summary(SOURCES)
    assert summary is not None
    assert summary.one_liner == "Spoke of: “Anna is a nurse” and “Likes ramen”."
    assert list(summary.what_mattered) == ["Anna is a nurse", "Likes ramen"]
    assert list(summary.open_loops) == ["Hear back from Acme"]
    assert list(summary.commitments) == ["Call the dentist"]
    assert list(summary.people) == ["Anna"]
    assert summary.tone == "Feels tired; Feels happy"


def test_session_summary__has_the_persons_own_words() -> None:
    said = SaidMessage(
        UUID(int=8), UUID(int=9), datetime(2024, 10, 31, tzinfo=UTC), "Die Vroni hat entbunden!! Ich bin froh."
    )
    summary = write_session_summary(SessionSources(messages=[said]))
    assert summary is not None
    assert summary.one_liner == "Sprach über: “Die Vroni hat entbunden!! Ich bin froh”."


def test_session_summary__of_nothing_is_none() -> None:
    assert write_session_summary(SessionSources([])) is None


def test_session_summary__of_to_dos_or_feelings_alone_names_them() -> None:
    only_todos = write_session_summary(SessionSources([], SOURCES.todos[:1]))
    only_feelings = write_session_summary(SessionSources(SOURCES.memories[2:3]))
    assert only_todos is not None
    assert only_feelings is not None
    assert only_todos.one_liner == "Spoke of: “Call the dentist”."
    assert only_feelings.one_liner == "Spoke of: “Feels tired”."


def test_description__begins_with_the_local_day_and_keeps_its_limit() -> None:
    summary = write_session_summary(SOURCES)
    assert summary is not None
    session = LastSession(datetime(2024, 10, 31, 23, tzinfo=UTC), summary)
    text = describe_session(session, session.ended_at, 800).text
    assert text.startswith("2024-10-31: Spoke of: “Anna is a nurse”")
    assert "Committed to: Call the dentist." in text
    assert len(describe_session(session, session.ended_at, 80).text) <= 80
