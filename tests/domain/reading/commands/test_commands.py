"""What is a chat command and what only sounds like one: the lines of ``command_lines.txt``."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.recognize import recognize
from tests.support.effort import count_calls

_FILE = Path(__file__).parent / "command_lines.txt"


def expected(line: str) -> tuple[str, Command | None]:
    """A line of the file as its message and the command it is."""
    head, text, *more = (part.strip() for part in line.split(" | "))
    name, *marks = head.split()
    message = text.replace("\\n", "\n")
    if name == "none":
        return message, None
    given = dict(part.split("=", 1) for part in more)
    return message, Command(
        Kind(name),
        subject=given.get("subject"),
        statement=given.get("statement"),
        refers_to_itself="this" in marks,
        is_ambiguous="weak" in marks,
        is_persona_only="only" in marks,
        is_confirmation="confirmed" in marks,
        language="de" if "de" in marks else "en",
    )


LINES = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_a_line__is_the_command_it_is_meant_as(line: str) -> None:
    message, command = expected(line)
    assert recognize(message) == command


@pytest.mark.parametrize("sign", [", ", ",", "; ", "…", "😀", "again, ", "- ", " "])
@pytest.mark.parametrize("end", ["forget that", "x remember"])
def test_a_message_of_many_emoji__is_recognized_with_little_work(sign: str, end: str) -> None:
    """What people type holds up everybody else while it is looked at: a run of commas once took more than a minute."""
    short, long = (f"forget {sign * (length // len(sign))}{end}" for length in (350, 1_400))
    assert count_calls(recognize, long) < 6 * max(count_calls(recognize, short), 100)
