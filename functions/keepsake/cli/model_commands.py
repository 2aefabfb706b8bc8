"""The command that tries a language model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from keepsake.cli.app import DATA, Command, app, open_project
from keepsake.cli.options import Data, DatabaseUrl

_PANEL = "With an application"


@app.command(cls=Command, rich_help_panel=_PANEL)
def check_model(
    *,
    price_in: Annotated[float, typer.Option(help="Price of a million tokens of prompts, for the estimate.")] = 0.0,
    price_out: Annotated[float, typer.Option(help="Price of a million tokens of replies.")] = 0.0,
    replies: Annotated[
        Path | None, typer.Option(help="A file for the replies to each turn, to read them.", metavar="FILE")
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only print what is stored, as a table.")] = False,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
) -> None:
    """Try the language model with fixed turns, and store how far its replies are believed.

    The verdict holds for this model at this endpoint, until the prompt changes: `good`, `usable` (each word of its
    replies is checked; also without a verdict) or `use the rules` (nothing of its replies is stored).

    - `keepsake check-model`: the model of the running stack, or of OPENAI_EXTRACTION_MODEL
    """
    from keepsake.operations.check_model import Report, list_verdicts
    from keepsake.operations.check_model import check_model as run
    from keepsake.operations.model_report import Prices

    if list_only:
        asyncio.run(list_verdicts(open_project(data), database_url, typer.echo))
        return
    asyncio.run(run(open_project(data), database_url, Report(typer.echo, Prices(price_in, price_out), replies)))
