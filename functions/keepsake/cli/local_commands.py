"""The commands of a project on this machine: run it, look at it, sign somebody in, show what it does."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from keepsake.cli.app import DATA, Command, app, open_project
from keepsake.cli.options import (
    AuthUrl,
    Data,
    DatabaseUrl,
    DemoData,
    DemoPort,
    EmbeddingModelName,
    ModelName,
    ModelUrl,
    OwnerUrl,
    Port,
    parse_duration,
)

if TYPE_CHECKING:  # as below: what is slow to import is imported by the command that needs it
    from keepsake.project.folder import RunningStack
    from keepsake.project.keys import Keys

_PANEL = "On this machine"
_DEMO_DATA = DATA / "demo"
_PORT = 54321

_say = partial(typer.echo, err=True)


@app.command(cls=Command, rich_help_panel=_PANEL)
def demo(
    *,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the stack running until Ctrl-C.")] = False,
    port: DemoPort = None,
    data: DemoData = _DEMO_DATA,
) -> None:
    """Replay a conversation of several days, and show what is remembered, what is refused, and why.

    Checks itself, and ends with 1 if anything is not as it should be.

    - `keepsake demo`
    - `keepsake demo --keep`: then look around with `keepsake status --data .keepsake/demo`
    """
    from keepsake.local.demo.run_demo import run_demo

    raise typer.Exit(run_demo(keep=keep, port=port, folder=data))


@app.command(cls=Command, rich_help_panel=_PANEL)
def up(
    *,
    port: Port = _PORT,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
    migration_database_url: OwnerUrl = None,
    auth_url: AuthUrl = None,
    model_url: ModelUrl = None,
    model: ModelName = None,
    embedding_model: EmbeddingModelName = None,
) -> None:
    """Run everything: Postgres, PostgREST, the functions, a worker and the clock.

    Needs nothing but Python, keeps its data in `.keepsake/`, and stops on Ctrl-C.

    - `keepsake up`: the embedded database, made the first time
    - `keepsake up --port 54400 --data ../other`: a second project beside it
    - `DATABASE_URL=postgresql://… keepsake up`: an existing server, migrated before by `keepsake migrate`
    - `… --auth-url https://<ref>.supabase.co/auth/v1` beside it: its people sign in on the chat page
    - `keepsake up --model-url http://127.0.0.1:11434/v1 --model llama3.1`: a language model finds the memories
    - `… --embedding-model nomic-embed-text` beside it: and meaning finds them again, not words alone
    """
    from keepsake.local.stack.up import up as run
    from keepsake.local.status_report import describe
    from keepsake.operations.environment import set_model_env

    project = open_project(data)

    def ready(running: RunningStack, keys: Keys) -> None:
        page = f"Open {running.api_url} in a browser: a small chat with the memory panel beside it."
        end = f"Logs are in {project.folder}. Stop with Ctrl-C."
        typer.echo(f"Keepsake is running.\n\n{page}\n\n{describe(running, keys)}\n\n{end}")
        sys.stdout.flush()

    set_model_env(model_url, model, embedding_model)
    urls = {"database_url": database_url, "migration_url": migration_database_url, "auth_url": auth_url}
    run(project, port=port, on_ready=ready, say=_say, **urls)
    typer.echo("Stopped.")


@app.command(cls=Command, rich_help_panel=_PANEL)
def status(
    *,
    data: Data = DATA,
    env: Annotated[
        bool, typer.Option("--env", help="Print assignments for a shell, as `supabase status -o env`.")
    ] = False,
) -> None:
    """Print the URLs and keys of the running stack.

    - `keepsake status`: to read
    - `set -a; eval "$(keepsake status --env)"; set +a`: to use, as `$API_URL` and `$SECRET_KEY`
    """
    from keepsake.local.status_report import assignments, describe

    project = open_project(data)
    running = project.running_or_raise()
    typer.echo(assignments(running, project.keys()) if env else describe(running, project.keys()))


@app.command(cls=Command, rich_help_panel=_PANEL)
def token(
    user: Annotated[
        str, typer.Option("--user", metavar="EMAIL", help="The address of the person, who is added if new.")
    ],
    expires: Annotated[
        str, typer.Option("--expires", metavar="TIME", help="How long the token holds: 90s, 30m, 12h or 7d.")
    ] = "1h",
    data: Data = DATA,
) -> None:
    """Sign a person in: print a JWT as Supabase Auth would give them.

    - `keepsake token --user ada@example.com`
    - `TOKEN=$(keepsake token --user ada@example.com --expires 12h)`, and then
      `curl "$REST_URL/user_memory" -H "apikey: $PUBLISHABLE_KEY" -H "Authorization: Bearer $TOKEN"`
    """
    from keepsake.operations.local_users import sign_in

    typer.echo(sign_in(open_project(data), user, lifetime=parse_duration(expires), say=_say))


@app.command(cls=Command, rich_help_panel=_PANEL)
def down(data: Data = DATA) -> None:
    """Stop a stack that runs in another terminal or in the background.

    - `keepsake down`
    """
    from keepsake.local.stack.background import stop

    typer.echo("Stopped." if stop(open_project(data)) else "Nothing was running.")
