"""Chat commands in other languages than English: one file a language in ``languages/``, patterns and examples.

A command is a whole message; what is in doubt is no command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.extraction.rules.patterns.pattern_file import read_toml
from keepsake.domain.extraction.rules.patterns.pattern_language import Lists, translate
from keepsake.domain.extraction.rules.patterns.rule_table import collect_rules, read_row

_SLOTS = {
    "subject": r"[^,;:?!\n]{2,80}?",
    "statement": r"[^\n]{4,300}?",
    "word": r"[\w-]{1,40}",
    "name": r"(?-i:[A-ZÀ-ÖØ-Þ])[\w-]{1,40}",
}
_ENDING = " .!…,;"
_QUESTIONS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)


class CommandError(ValueError):
    """A file of commands that cannot be used; the message names the file and the command."""


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """One way to say a command, with messages that are this command and messages that are not."""

    language: str
    kind: Kind
    pattern: re.Pattern[str]
    finds: tuple[str, ...]
    ignores: tuple[str, ...]
    statement: str = ""
    """What to remember, put together from the slots; empty where it is a slot itself."""


def load_commands() -> tuple[CommandPattern, ...]:
    """The patterns of all languages, in the order of their files. Raises CommandError."""
    folder = files(__package__).joinpath("languages")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(one for name in names for one in read_commands(name, read_toml(f"languages/{name}", __package__)))


def read_commands(name: str, table: Mapping[str, Any]) -> tuple[CommandPattern, ...]:
    """The patterns of one language. Raises CommandError."""
    lists = Lists(_SLOTS, table.get("lists", {}))
    rows = enumerate(table.get("command", ()), start=1)
    return collect_rules(
        ((f"{name}, command {n}", partial(_command, row, lists, name.removesuffix(".toml"))) for n, row in rows),
        CommandError,
    )


def _command(row: Mapping[str, Any], lists: Lists, language: str) -> CommandPattern:
    pattern = re.compile(translate(row["pattern"], lists), re.IGNORECASE)
    return read_row(CommandPattern, row, language=language, kind=Kind(row["kind"]), pattern=pattern)


def recognize_other(message: str) -> Command | None:
    """The command that a whole message is, in the first language that has it."""
    core = message.rstrip(_ENDING)
    is_question = core.endswith("?")
    for one in COMMANDS:
        if is_question and one.kind not in _QUESTIONS:
            continue
        if match := one.pattern.fullmatch(core.rstrip("? ")):
            said = {name: value.strip(" \"'„“") for name, value in match.groupdict().items() if value}
            statement = one.statement.format(**said) if one.statement else said.get("statement")
            return Command(one.kind, subject=said.get("subject"), statement=statement, language=one.language)
    return None


COMMANDS = load_commands()
"""The patterns of all languages, compiled on import."""
