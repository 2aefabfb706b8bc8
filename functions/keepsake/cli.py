"""The command line: runs a local Supabase project with Keepsake, and operates any other."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keepsake import __version__
from keepsake.infra.package_files import FUNCTIONS_SOURCE
from keepsake.local.command_errors import reported_errors
from keepsake.operations.options import (
    AgentConversation,
    AgentPort,
    AgentUser,
    AuthUrl,
    CopyTo,
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

if TYPE_CHECKING:  # what is slow to import is imported by the command that needs it
    from keepsake.project.folder import ProjectFolder, RunningStack
    from keepsake.project.keys import Keys

app = typer.Typer(
    name="keepsake",
    help="Long-term memory for chat applications on Supabase.\n\n"
    "Start with `keepsake demo`, or with `keepsake up` and then `keepsake token --user you@example.com`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)

DATA = Path(".keepsake")
All = Annotated[bool, typer.Option("--all", help="The data of everybody, however long it takes.")]
DEMO_DATA = DATA / "demo"
PORT = 54321

_say = partial(typer.echo, err=True)


def _version(requested: bool) -> None:  # noqa: FBT001 (typer calls it so)
    if requested:
        typer.echo(f"keepsake {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    *,
    _version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None: ...


@app.command()
def up(
    *,
    port: Port = PORT,
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

    project = _project(data)

    def ready(running: RunningStack, keys: Keys) -> None:
        typer.echo(
            f"Keepsake is running.\n\n{describe(running, keys)}\n\nLogs are in {project.folder}. Stop with Ctrl-C."
        )
        sys.stdout.flush()

    set_model_env(model_url, model, embedding_model)
    urls = {"database_url": database_url, "migration_url": migration_database_url, "auth_url": auth_url}
    run(project, port=port, on_ready=ready, say=_say, **urls)
    typer.echo("Stopped.")


@app.command()
def down(data: Data = DATA) -> None:
    """Stop a stack that runs in another terminal or in the background.

    - `keepsake down`
    """
    from keepsake.local.stack.background import stop

    typer.echo("Stopped." if stop(_project(data)) else "Nothing was running.")


@app.command()
def status(
    *,
    data: Data = DATA,
    env: Annotated[bool, typer.Option("--env", help="As assignments, like `supabase status -o env`.")] = False,
) -> None:
    """Print the URLs and keys of the running stack.

    - `keepsake status`: to read
    - `set -a; eval "$(keepsake status --env)"; set +a`: to use, as `$API_URL` and `$SECRET_KEY`
    """
    from keepsake.local.status_report import assignments, describe

    project = _project(data)
    running = project.running_or_raise()
    typer.echo(assignments(running, project.keys()) if env else describe(running, project.keys()))


@app.command()
def token(
    user: Annotated[str, typer.Option("--user", metavar="EMAIL", help="Who signs in; added if new.")],
    expires: Annotated[str, typer.Option("--expires", help="How long the token holds: 90s, 30m, 12h or 7d.")] = "1h",
    data: Data = DATA,
) -> None:
    """Sign a person in: print a JWT as Supabase Auth would give them.

    - `keepsake token --user ada@example.com`
    - `TOKEN=$(keepsake token --user ada@example.com --expires 12h)`, and then
      `curl "$REST_URL/user_memory" -H "apikey: $PUBLISHABLE_KEY" -H "Authorization: Bearer $TOKEN"`
    """
    from keepsake.operations.local_users import sign_in

    typer.echo(sign_in(_project(data), user, lifetime=parse_duration(expires), say=_say))


@app.command()
def migrate(
    *,
    migration_database_url: OwnerUrl = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only say what is applied and what is not.")] = False,
    copy_to: CopyTo = None,
    data: Data = DATA,
) -> None:
    """Apply `supabase/migrations` to a database, with the history that the Supabase CLI keeps.

    Goes on where `supabase db push` or `supabase migration up` stopped, and they where it did.

    - `MIGRATION_DATABASE_URL=postgresql://postgres:…@db.….supabase.co:5432/postgres keepsake migrate`
    - `keepsake migrate --list`
    - `keepsake migrate --copy-to my-app/supabase/migrations`: for an application that pushes migrations of its own
    """
    from keepsake.operations import migrate as migrations

    if copy_to:
        typer.echo(f"Copied {len(migrations.copy_to(copy_to))} migrations to {copy_to}.")
        return
    url = migration_database_url or _project(data).owner_url()
    if list_only:
        typer.echo("\n".join(migrations.plan(url).lines()))
        return
    applied = migrations.migrate(
        url,
        on_progress=lambda file: typer.echo(f"Applying {file}"),
        on_wait=lambda: typer.echo(migrations.WAITING),
    )
    typer.echo(f"Applied {len(applied)} migrations." if applied else "Everything is applied already.")


@app.command()
def worker(data: Data = DATA, database_url: DatabaseUrl = None) -> None:
    """Run jobs until stopped, beside the functions; as many of these as the work needs.

    Reads the same settings as the functions (see `.env.example`). The embedded stack has a worker already.

    - `DATABASE_URL=postgresql://… keepsake worker`
    """
    from keepsake.operations.worker import run_worker

    run_worker(_project(data), database_url, on_ready=lambda: typer.echo("Working. Stop with Ctrl-C."))
    typer.echo("Stopped.")


@app.command()
def embed(
    *,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
    again: Annotated[bool, typer.Option("--again", help="Also what has a vector already, or was given up.")] = False,
) -> None:
    """Embed now what has no vector yet, and show how far it is; a worker does the same by and by.

    Stop and start it as you like: it goes on where it was.

    - `OPENAI_EMBEDDING_MODEL=text-embedding-3-small keepsake embed`
    """
    from keepsake.operations.embed import embed_all

    embed_all(_project(data), database_url, again=again, say=typer.echo)


@app.command()
def mcp(
    *,
    user: AgentUser = None,
    conversation: AgentConversation = None,
    http: AgentPort = None,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
) -> None:
    """Offer the agent tool `manage_user_memory` over the Model Context Protocol.

    Reads the same settings as the functions (see `.env.example`), or those of the running stack.

    - `keepsake mcp --user ada@example.com`: to an agent that starts it, over standard input and output
    - `keepsake mcp --http 8808`: at `http://127.0.0.1:8808/mcp`, where a person's token says for whom
    """
    from keepsake.endpoints.mcp import serve
    from keepsake.operations.resolve_mcp_person import resolve_person

    serve(resolve_person(_project(data), database_url, user, http), conversation, port=http)


@app.command()
def doctor(
    *, data: Data = DATA, database_url: DatabaseUrl = None, migration_database_url: OwnerUrl = None, full: All = False
) -> None:
    """Check settings, database, schema, security and REST, and say what to do where something is wrong.

    Looks at what the environment names, or else at the running stack. Ends with 1 if a check fails.

    - `keepsake doctor`, of much data `keepsake doctor --all`: otherwise that of some people is checked
    """
    from keepsake.operations.doctor import run_checks

    findings = run_checks(_project(data), database_url, migration_database_url, everybody=full)
    typer.echo("\n".join(finding.line() for finding in findings))
    raise typer.Exit(any(finding.failed for finding in findings))


@app.command()
def functions_source() -> None:
    """Print the path of the file with all functions, for functions-framework to serve.

    - `python -m functions_framework --source "$(keepsake functions-source)" --target inject_memory`
    """
    typer.echo(FUNCTIONS_SOURCE)


@app.command()
def demo(
    *,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the stack running until Ctrl-C.")] = False,
    port: DemoPort = None,
    data: DemoData = DEMO_DATA,
) -> None:
    """Replay a conversation of several days, and show what is remembered, what is refused, and why.

    Checks itself, and ends with 1 if anything is not as it should be.

    - `keepsake demo`
    - `keepsake demo --keep`: then look around with `keepsake status --data .keepsake/demo`
    """
    from keepsake.local.demo.run_demo import run_demo

    raise typer.Exit(run_demo(keep=keep, port=port, folder=data))


def main() -> None:
    """Run the command line; what goes wrong is said in a line, and never as a traceback."""
    with reported_errors():
        app()


def _project(data: Path) -> ProjectFolder:
    from keepsake.project.folder import ProjectFolder

    return ProjectFolder(data.resolve())


if __name__ == "__main__":
    main()
