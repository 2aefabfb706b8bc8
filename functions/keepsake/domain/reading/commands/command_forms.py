"""The forms of chat commands: one file a language in ``languages/``, with patterns and examples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from keepsake.domain.english.patterns.pattern_file import collect_rules, read_row, read_toml
from keepsake.domain.english.patterns.pattern_language import Lists, translate
from keepsake.domain.reading.commands.command import Kind

_EXPRESSIONS = {
    "subject": r"[^,;:?!\n]{1,80}?",
    "own_thing": r"(?!.{0,60}\b(?:and|again|or|but|then|if|because|when|so)\b)[^,;:?!\n]{1,60}?",
    "bare": r"[\w'-]{3,30}(?: [\w'-]{2,30}){0,2}",
    "reference": r"m-\d{1,9}",
    "clause": r"[^,;:?!\n]{3,200}?",
    "statement": r"[^\n]{4,300}?",
    "text": r".+",
    "anything": r"\S++ .+",
    "word": r"[\w-]{1,40}",
    "name": r"(?-i:[A-ZÀ-ÖØ-Þ])[\w-]{1,40}",
    "opening": r"(?: that|[:,]){1,3}",
    "gap": r"\W{1,5}",
}
"""What the patterns of all languages may name."""


_STATES, _TONES = frozenset({"", "self", "anybody"}), frozenset({"", "polite", "plain"})


class CommandError(ValueError):
    """A file of commands that cannot be used; the message names the file and the command."""


@dataclass(frozen=True, slots=True)
class CommandForm:
    """One way to say a command, with messages that are this command and messages that are not."""

    language: str
    kind: Kind
    pattern: re.Pattern[str]
    finds: tuple[str, ...]
    ignores: tuple[str, ...]
    statement: str = ""
    """What to remember, put together from the slots; empty where it is a slot itself."""
    states: str = ""
    """Of whom what it names has to state something: of the author (``self``), or also of ``anybody`` it names."""
    tone: str = ""
    """Whether only a sentence that is ``polite``, or only a ``plain`` one, is this command."""
    is_unstripped: bool = False
    """Whether it is looked for before what is polite is removed from the sentence."""
    takes_rest: bool = False
    """Whether the rest of the message belongs to the statement."""
    is_ambiguous: bool = False
    is_confirmation: bool = False


def load_command_forms() -> tuple[CommandForm, ...]:
    """The forms of all languages, in the order of their files. Raises CommandError."""
    folder = files(__package__).joinpath("languages")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(one for name in names for one in read_command_forms(name, read_toml(f"languages/{name}", __package__)))


def read_command_forms(name: str, table: Mapping[str, Any]) -> tuple[CommandForm, ...]:
    """The forms of one language. Raises CommandError."""
    lists = Lists(_EXPRESSIONS, table.get("lists", {}))
    rows = enumerate(table.get("command", ()), start=1)
    return collect_rules(
        ((f"{name}, command {n}", partial(_form, row, lists, name.removesuffix(".toml"))) for n, row in rows),
        CommandError,
    )


def _form(row: Mapping[str, Any], lists: Lists, language: str) -> CommandForm:
    if row.get("states", "") not in _STATES or row.get("tone", "") not in _TONES:
        raise ValueError("unknown states or tone")
    said = [row["pattern"]] if isinstance(row["pattern"], str) else row["pattern"]
    pattern = re.compile("|".join(translate(one, lists) for one in said), re.IGNORECASE)
    return read_row(CommandForm, row, language=language, kind=Kind(row["kind"]), pattern=pattern)


FORMS = load_command_forms()
"""The forms of all languages, compiled on import."""
