"""What the operator knows of an application's tables, and the complete command that says it, or says more."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from keepsake.errors import Conflict

_OPTIONS = ("chats", "messages", "people", "user-word", "assistant-word")
"""What has an option of its own; everything else is a column."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the operator knows of the tables: names by what they are, and words for a message's author."""

    names: Mapping[str, str] = field(default_factory=dict)
    user_words: Sequence[str] = ()
    assistant_words: Sequence[str] = ()
    may_add_people: bool = False
    """Whether rows in ``auth.users`` may be made for people of another sign-in."""
    writes_meta: bool = False
    """Whether the ids of an answer's memories are written into the application's own column ``meta`` too."""

    def command(self, folder: Path | None, more: Mapping[str, str]) -> str:
        """The command with all that was said and what is to be said too, such as ``chats.owner`` by its name."""
        said = [*{**self.names, **more}.items()]
        said += [("user-word", word) for word in self.user_words]
        said += [("assistant-word", word) for word in self.assistant_words]
        said += [("people", "auth.users")] if self.may_add_people else []
        words = ["keepsake", "adopt", *(["--write-meta"] if self.writes_meta else [])]
        for what, name in said:
            words += [f"--{what}", name] if what in _OPTIONS else ["--column", f"{what}={name}"]
        return shlex.join(words + (["--to", str(folder)] if folder else []))


class DeadEnd(Conflict):
    """What was said does not lead on; each of the ways would, and is what more the operator may say."""

    def __init__(self, message: str, *ways: Mapping[str, str], otherwise: str = "") -> None:
        super().__init__(message)
        self.ways = ways
        self.otherwise = otherwise

    def refuse(self, known: Known, folder: Path | None) -> Conflict:
        """The refusal, whose hint has a complete command for each way."""
        commands = [f"  {known.command(folder, way)}" for way in self.ways]
        lead = ["Run:" if len(commands) == 1 else "Run one of:"] if commands else []
        return Conflict(self.message, hint="\n".join([*filter(None, [self.otherwise]), *lead, *commands]))
