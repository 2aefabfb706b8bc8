"""The options that commands share: where a project lies, which database is meant, and which models are asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
