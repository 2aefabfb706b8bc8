"""What is a chat command and what only sounds like one: the lines of ``command_lines.txt``."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.domain.commands import Command, Kind, recognise

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
        this_turn="this" in marks,
        weak="weak" in marks,
        only_here="only" in marks,
        confirmed="confirmed" in marks,
    )


LINES = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_a_line__is_the_command_it_is_meant_as(line: str) -> None:
    message, command = expected(line)
    assert recognise(message) == command
