"""The command line options that several commands share: project folder, database, models, person."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from keepsake.errors import InvalidInput

Data = Annotated[Path, typer.Option("--data", help="Folder of the project: keys, database, logs.", show_default=True)]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Served on 127.0.0.1; 0 takes a free one.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(envvar="DATABASE_URL", metavar="URL", help="An existing server, as keepsake_api.", show_default=False),
]
OwnerUrl = Annotated[
    str | None,
    typer.Option(
        envvar="MIGRATION_DATABASE_URL", metavar="URL", help="The same server, as its owner.", show_default=False
    ),
]
CopyTo = Annotated[
    Path | None,
    typer.Option("--copy-to", metavar="FOLDER", help="Only copy the files that this folder lacks.", show_default=False),
]
AuthUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Supabase Auth, up to /auth/v1, where people sign in instead.", show_default=False
    ),
]
ModelUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="An OpenAI-compatible endpoint, as OPENAI_BASE_URL.", show_default=False),
]
ModelName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Its model that finds memories, as OPENAI_EXTRACTION_MODEL.", show_default=False),
]
EmbeddingModelName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Its model that embeds them, as OPENAI_EMBEDDING_MODEL.", show_default=False),
]
DemoPort = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Where; by default 54321 if free, else any.")
]
DemoData = Annotated[Path, typer.Option("--data", help="Folder for the demo; its database is made anew.")]
AgentUser = Annotated[
    str | None,
    typer.Option("--user", metavar="ID|EMAIL", help="For whom; an address in the local stack only."),
]
AgentConversation = Annotated[UUID | None, typer.Option("--conversation", help="In which conversation, if in one.")]
AgentPort = Annotated[
    int | None, typer.Option("--http", min=1, max=65535, help="Serve on this port, each by their own token.")
]


def parse_duration(text: str) -> timedelta:
    """Parse a duration such as ``90s``, ``30m``, ``12h`` or ``7d``."""
    found = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if not found:
        raise InvalidInput(f"{text!r} is not a duration.", hint="Write 90s, 30m, 12h or 7d.")
    unit = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}[found[2]]
    return timedelta(**{unit: int(found[1])})
