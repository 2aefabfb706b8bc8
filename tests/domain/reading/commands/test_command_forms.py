"""The forms of chat commands: each is run on its own examples, and a malformed file is refused."""

from __future__ import annotations

import tomllib

import pytest

from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_forms import FORMS, CommandError, Token, read_command_forms
from keepsake.domain.reading.commands.recognize import recognize, recognize_answer

FINDS = [(one.kind, message) for one in FORMS for message in one.finds]
IGNORES = [(one.kind, message) for one in FORMS for message in one.ignores]
UNDO = """
[[command]]
kind = "undo_last"
forms = "ongedaan <subject>"
finds = ["ongedaan dit", "ongedaan dat"]
ignores = ["dit", "dat"]
"""


@pytest.mark.parametrize("kind, message", FINDS)
def test_command__is_recognized_in_its_example(kind: Kind, message: str) -> None:
    found = recognize(message) or recognize_answer(message)
    assert found is not None
    assert found.kind is kind


@pytest.mark.parametrize("kind, message", IGNORES)
def test_command__is_not_recognized_in_its_counterexample(kind: Kind, message: str) -> None:
    found = recognize(message) or recognize_answer(message)
    assert found is None or found.kind is not kind


def test_read_command_forms__gives_forms() -> None:
    (form,) = read_command_forms("nl.toml", tomllib.loads(UNDO))
    said = [Token("ongedaan", 0, 8), Token("maken", 9, 14)]
    assert form.match(said, "Ongedaan maken") == Command(Kind.UNDO_LAST, subject="maken", language="nl")


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
    assert recognize(message) == Command(Kind.REMEMBER, statement=statement, language="de")


def test_recognize__english_comes_first() -> None:
    assert recognize("forget everything about sushi") == Command(Kind.FORGET_SUBJECT, subject="sushi")


@pytest.mark.parametrize(
    "wrong, right, message",
    [
        ("undo_last", "undo_all", "'undo_all' is not a valid Kind"),
        ("ignores", "ignored", "unknown fields"),
        (', "dat"]', "]", "fewer than 2 examples"),
        ("<subject>", "<object>", "the slot <object> does not exist"),
        ("ongedaan", "{done}", "the list done does not exist"),
    ],
)
def test_read_command_forms__a_fault_is_refused_with_its_place(wrong: str, right: str, message: str) -> None:
    with pytest.raises(CommandError, match=f"^nl.toml, command 1: .*{message}"):
        list(read_command_forms("nl.toml", tomllib.loads(UNDO.replace(wrong, right))))
