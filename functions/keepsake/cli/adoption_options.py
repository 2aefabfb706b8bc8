"""The options of ``keepsake adopt``: what the operator knows of the application's tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

ADDED_PEOPLE = "auth.users"
"""The table of people by which the operator says that they may be added to it."""
AdoptTo = Annotated[
    Path | None,
    typer.Option("--to", metavar="FOLDER", help="Write into this folder of migrations.", show_default=False),
]
ChatsTable = Annotated[str | None, typer.Option(metavar="TABLE", help="The table of chats.", show_default=False)]
MessagesTable = Annotated[str | None, typer.Option(metavar="TABLE", help="The table of messages.", show_default=False)]
PeopleTable = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE",
        help="The table with a row for each person; auth.users adds those to it who sign in elsewhere.",
        show_default=False,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHAT=NAME",
        help="A column, several times: chats.owner, chats.title, chats.messages (all of them as JSON), messages.chat, "
        "messages.role, messages.author, messages.text, messages.time, chats.deleted, messages.deleted, people.account "
        "(the id in auth.users), people.name or people.timezone.",
        show_default=False,
    ),
]
UserWords = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", help="What messages.role says of a person's message.", show_default=False),
]
AssistantWords = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", help="What messages.role says of an answer.", show_default=False),
]
WriteMeta = Annotated[
    bool, typer.Option("--write-meta", help="Write the ids of an answer's memories into your messages.meta too.")
]
_COLUMNS = {
    "chats.owner", "chats.title", "chats.messages", "chats.deleted", "messages.chat", "messages.role",
    "messages.author", "messages.text", "messages.time", "messages.deleted", "people.account", "people.name",
    "people.timezone",
}  # fmt: skip


def parse_columns(texts: Iterable[str]) -> dict[str, str]:
    """Parse what columns are called, as in ``messages.role=sender``."""
    columns = {}
    for text in texts:
        what, equals, name = text.partition("=")
        if what not in _COLUMNS or not equals or not name:
            raise typer.BadParameter(
                f"{text!r} names no column. Write WHAT=NAME with one of {', '.join(sorted(_COLUMNS))}."
            )
        columns[what] = name
    return columns
