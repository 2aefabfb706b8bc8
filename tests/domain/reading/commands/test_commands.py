"""What is a chat command and what only sounds like one: the lines of ``command_lines.txt``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.recognize import recognize, recognize_answer
from tests.support.effort import count_calls
from tests.support.shares import wrong_share

MAX_WRONG, MAX_FALSE = 0.02, 0.01
"""Of lines that each training of the classifiers may turn."""
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
        is_persona_only="only" in marks,
        is_confirmation="confirmed" in marks,
    )


LINES = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def is_right(line: str) -> bool:
    """Whether a message is the command it is meant as."""
    message, command = expected(line)
    found = recognize(message)
    return (found and replace(found, is_ambiguous=False, said="")) == command


def test_lines__are_the_commands_they_are_meant_as() -> None:
    share, wrong = wrong_share({line: is_right(line) for line in LINES if not line.startswith("none ")})
    assert share <= MAX_WRONG, wrong


def test_lines_that_only_sound_like_commands__are_none() -> None:
    share, wrong = wrong_share({line: is_right(line) for line in LINES if line.startswith("none ")})
    assert share <= MAX_FALSE, wrong


@pytest.mark.parametrize(
    "message, kind",
    [
        ("forget that", Kind.FORGET_LAST),
        ("Forget that, please.", Kind.FORGET_LAST),
        ("vergiss das", Kind.FORGET_LAST),
        ("forget everything about my dog", Kind.FORGET_SUBJECT),
        ("please forget my address", Kind.FORGET_SUBJECT),
        ("Vergiss alles über meinen Job", Kind.FORGET_SUBJECT),
        ("forget everything you know about me", Kind.FORGET_ALL),
        ("don't remember this", Kind.DO_NOT_REMEMBER),
        ("remember that I'm vegan", Kind.REMEMBER),
        ("Merk dir, dass ich Vegetarier bin", Kind.REMEMBER),
        ("what do you remember about me?", Kind.RECALL_ALL),
        ("what do you know about my sister?", Kind.RECALL_SUBJECT),
        ("undo that", Kind.UNDO_LAST),
        ("stop remembering things", Kind.PAUSE),
        ("stop saving stuff for a bit", Kind.PAUSE),
        ("Bitte nichts mehr speichern", Kind.PAUSE),
        ("can you delete the thing about my knee", Kind.FORGET_SUBJECT),
        ("turn your memory back on", Kind.RESUME),
    ],
)
def test_plain_command__is_always_one(message: str, kind: Kind) -> None:
    found = recognize(message)
    assert found is not None
    assert (found.kind, found.is_ambiguous) == (kind, False)


@pytest.mark.parametrize(
    "message",
    [
        "Please don't remember this but I'm pregnant",
        "I'm gay. Don't save that.",
        "Don't remember this but I'm gay",
        "Merk dir das bitte nicht, ich bin schwanger",
        "Don't save this, I am pregnant",
        "Don't remember this, but I am pregnant",
        "im pregnant but pls dont save this",
        "I'm gay, please don't save that",
        "Ich bin schwanger, merk dir das nicht",
    ],
)
def test_what_is_not_to_be_remembered__is_that_of_the_same_message(message: str) -> None:
    assert recognize(message) == Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True)


@pytest.mark.parametrize(
    "message, statement",
    [
        ("Merk dir, dass ich Vegetarier bin", "ich bin Vegetarier"),
        ("Merk dir, dass Lena im Mai heiratet.", "Lena heiratet im Mai"),
        ("Merk dir, dass meine Tochter Lena am 3. Mai Geburtstag hat", "meine Tochter Lena hat am 3. Mai Geburtstag"),
        ("merk dir bitte dass mein Hund Angst vor Gewitter hat", "mein Hund hat Angst vor Gewitter"),
        ("Merk dir mein Passwort: hunter2!xY9", "mein Passwort: hunter2!xY9"),
    ],
)
def test_remember__a_german_clause_becomes_a_sentence(message: str, statement: str) -> None:
    found = recognize(message)
    assert found is not None
    assert (found.kind, found.statement) == (Kind.REMEMBER, statement)


@pytest.mark.parametrize(
    "answer, kind", [("Yes, please do it!", Kind.ACCEPT_REQUEST), ("no thanks", Kind.REJECT_REQUEST)]
)
def test_recognize_answer__reads_yes_and_no(answer: str, kind: Kind) -> None:
    found = recognize_answer(answer)
    assert found is not None
    assert found.kind is kind
    assert recognize_answer("yes, I live in Graz") is None


@pytest.mark.parametrize("sign", [", ", ",", "; ", "…", "😀", "again, ", "- ", " "])
@pytest.mark.parametrize("end", ["forget that", "x remember"])
def test_a_message_of_many_emoji__is_recognized_with_little_work(sign: str, end: str) -> None:
    """What people type holds up everybody else while it is looked at: a run of commas once took more than a minute."""
    short, long = (f"forget {sign * (length // len(sign))}{end}" for length in (350, 1_400))
    assert count_calls(recognize, long) < 6 * max(count_calls(recognize, short), 100)
