"""The command line options that several commands share: project folder, database, models, person."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

_MAX_PORT = 65535


def _check_port(port: int | None) -> int | None:
    if port is not None and not 0 <= port <= _MAX_PORT:
        raise typer.BadParameter(f"A port is a number from 0 to {_MAX_PORT}.")
    return port


def _check_number(number: int) -> int:
    if number < 1:
        raise typer.BadParameter("It is at least 1.")
    return number


Data = Annotated[
    Path,
    typer.Option("--data", metavar="FOLDER", file_okay=False, help="Folder of the project: keys, database, logs."),
]
Port = Annotated[
    int,
    typer.Option("--port", metavar="PORT", callback=_check_port, help="Served on 127.0.0.1; 0 takes a free one."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        envvar="DATABASE_URL",
        metavar="URL",
        help="An existing server, with the login keepsake_api.",
        show_default=False,
    ),
]
OwnerUrl = Annotated[
    str | None,
    typer.Option(
        envvar="MIGRATION_DATABASE_URL",
        metavar="URL",
        help="The same server, with the login of its owner.",
        show_default=False,
    ),
]
RemoveTo = Annotated[
    Path | None,
    typer.Option("--to", metavar="FOLDER", help="Only write the migration into this folder.", show_default=False),
]
ExplainMessage = Annotated[
    UUID | None, typer.Argument(metavar="MESSAGE_ID", help="The message that is explained.", show_default=False)
]
ExplainMemory = Annotated[
    str | None, typer.Option("--memory", metavar="M-…", help="A memory, by its number or id.", show_default=False)
]
ExplainUser = Annotated[
    str | None,
    typer.Option(
        "--user", metavar="WHO", help="Whose memory it is: an id, or an address on the local stack.", show_default=False
    ),
]
ExplainText = Annotated[
    str | None, typer.Option("--text", metavar="TEXT", help="What somebody might say.", show_default=False)
]
FunctionsUrl = Annotated[
    str | None,
    typer.Option(
        envvar="FUNCTIONS_URL", metavar="URL", help="Where the functions are, up to /functions/v1.", show_default=False
    ),
]
SecretKey = Annotated[
    str | None,
    typer.Option(envvar="SUPABASE_SECRET_KEY", metavar="KEY", help="The key that is sent.", show_default=False),
]
Also = Annotated[
    Path | None,
    typer.Option("--also", metavar="FILE", help="Then apply what `keepsake adopt` wrote.", show_default=False),
]
CopyTo = Annotated[
    Path | None,
    typer.Option("--copy-to", metavar="FOLDER", help="Only copy the files that this folder lacks.", show_default=False),
]
SchemaTo = Annotated[
    Path | None,
    typer.Option(
        "--schema-to", metavar="FOLDER", help="Only write Keepsake's schema beside yours.", show_default=False
    ),
]
AuthUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Supabase Auth, up to /auth/v1, where people sign in instead.", show_default=False
    ),
]
ModelUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="An OpenAI-compatible endpoint.", show_default=False),
]
ModelName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model that finds memories.", show_default=False),
]
EmbeddingModelName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model that embeds them.", show_default=False),
]
DemoPort = Annotated[
    int | None,
    typer.Option(
        "--port", metavar="PORT", callback=_check_port, help="Served there; by default at 54321 if free, else anywhere."
    ),
]
DemoData = Annotated[
    Path,
    typer.Option("--data", metavar="FOLDER", file_okay=False, help="Folder for the demo; its database is made anew."),
]
AgentUser = Annotated[
    str | None,
    typer.Option("--user", metavar="ID|EMAIL", help="The person it serves; an e-mail address in the local stack only."),
]
AgentConversation = Annotated[
    UUID | None, typer.Option("--conversation", metavar="ID", help="The conversation that it takes part in.")
]
AgentPort = Annotated[
    int | None,
    typer.Option(
        "--http", metavar="PORT", callback=_check_port, help="Serve everybody there, each by their own token."
    ),
]
AgentAddress = Annotated[
    str | None,
    typer.Option(
        "--url", metavar="URL", help="Its address on the web, where a proxy stands before it.", show_default=False
    ),
]
BackfillUser = Annotated[
    str | None,
    typer.Option("--user", metavar="ID|EMAIL", help="Whose messages; an e-mail address in the local stack only."),
]
BackfillAll = Annotated[bool, typer.Option("--all", help="The messages of everybody who chose a profile.")]
Since = Annotated[
    str,
    typer.Option("--since", metavar="DATE", show_default=False, help="From this date, such as 2026-01-31; else all."),
]
CallsPerMinute = Annotated[
    int,
    typer.Option(
        "--calls-per-minute",
        metavar="NUMBER",
        callback=_check_number,
        help="Most calls of the language model in a minute.",
    ),
]


def parse_duration(text: str) -> timedelta:
    """Parse a duration such as ``90s``, ``30m``, ``12h`` or ``7d``."""
    found = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if not found:
        raise typer.BadParameter(f"{text!r} is not a duration. Write 90s, 30m, 12h or 7d.")
    unit = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}[found[2]]
    return timedelta(**{unit: int(found[1])})


def parse_date(text: str) -> datetime:
    """Parse a date, or a date and time; in UTC where it names no time zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date. Write 2026-01-31, or 2026-01-31T18:00+01:00.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
