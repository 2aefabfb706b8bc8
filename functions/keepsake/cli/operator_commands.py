"""The commands of an operator, for any database or for the stack of this machine."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from keepsake.cli.app import DATA, Command, app, open_project
from keepsake.cli.options import (
    AgentAddress,
    AgentConversation,
    AgentPort,
    AgentUser,
    Also,
    BackfillAll,
    BackfillUser,
    CallsPerMinute,
    CopyTo,
    Data,
    DatabaseUrl,
    ExplainMemory,
    ExplainMessage,
    ExplainText,
    ExplainUser,
    FunctionsUrl,
    OwnerUrl,
    SchemaTo,
    SecretKey,
    Since,
    parse_date,
)
from keepsake.infra.package_files import FUNCTIONS_SOURCE

_PANEL = "With an application"
All = Annotated[bool, typer.Option("--all", help="The data of everybody, however long it takes.")]


@app.command(cls=Command, rich_help_panel=_PANEL)
def migrate(
    *,
    migration_database_url: OwnerUrl = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only say what is applied and what is not.")] = False,
    copy_to: CopyTo = None,
    schema_to: SchemaTo = None,
    also: Also = None,
    data: Data = DATA,
) -> None:
    """Apply `supabase/migrations` to a database, with the history that the Supabase CLI keeps.

    Goes on where `supabase db push` or `supabase migration up` stopped, and they where it did.

    - `MIGRATION_DATABASE_URL=postgresql://postgres:…@db.….supabase.co:5432/postgres keepsake migrate`
    - `keepsake migrate --list`
    - `keepsake migrate --also my-app/migrations/…_keepsake_copies.sql`: and what `keepsake adopt` wrote
    - `keepsake migrate --copy-to my-app/supabase/migrations`: for an application that pushes migrations of its own
    - `keepsake migrate --schema-to my-app/supabase/schemas`: and for one that declares its schema in files
    """
    from keepsake.operations import declarative_schema
    from keepsake.operations import migrate as migrations

    if copy_to:
        typer.echo(f"Copied {len(migrations.copy_to(copy_to))} migrations to {copy_to}.")
    if schema_to:
        typer.echo(f"Wrote {declarative_schema.write_schema(schema_to)}.")
    if copy_to or schema_to:
        return
    url = migration_database_url or open_project(data).owner_url()
    if list_only:
        typer.echo("\n".join(migrations.plan(url).lines()))
        return
    applied = migrations.migrate(
        url,
        on_progress=lambda file: typer.echo(f"Applying {file}"),
        on_wait=lambda: typer.echo(migrations.WAITING),
        on_warning=lambda message: None if also else typer.echo(message),
    )
    typer.echo(f"Applied {len(applied)} migrations." if applied else "Everything is applied already.")
    if also:
        is_new = migrations.migrate_also(url, also)
        typer.echo(f"Applied {also.name}." if is_new else "The application's chats are copied already (chat_copies).")


@app.command(cls=Command, rich_help_panel=_PANEL)
def backfill(
    *,
    user: BackfillUser = None,
    everybody: BackfillAll = False,
    since: Since = "0001-01-01",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count, and say what stays unread and why.")] = False,
    calls_per_minute: CallsPerMinute = 60,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
) -> None:
    """Read old messages: those that the application had before it had Keepsake.

    Each goes through the normal extraction. What was said before `remember_since`, or is not allowed by its author for
    another reason, stays unread. Stop and start it as you like: it goes on where it was.

    - `keepsake backfill --all --dry-run`: how many messages, how long, and what stays unread
    - `keepsake backfill --all --since 2026-01-01`: those of everybody who consented
    - `keepsake backfill --user 6f1c… --calls-per-minute 20`: those of one person, slowly
    """
    from keepsake.operations.backfill import Backfill, run_backfill

    if (user is None) != everybody:
        raise typer.BadParameter("Name a person with --user, or everybody with --all.")
    wanted = Backfill(None, parse_date(since), calls_per_minute, dry_run)
    run_backfill(open_project(data), database_url, user, wanted, typer.echo)


@app.command(cls=Command, rich_help_panel=_PANEL)
def doctor(
    *,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
    migration_database_url: OwnerUrl = None,
    functions_url: FunctionsUrl = None,
    full: All = False,
) -> None:
    """Check settings, database, schema, security, REST, functions and jobs, and say what to do about what is wrong.

    Looks at what the environment names, or else at the running stack. Ends with 1 if a check fails.

    - `keepsake doctor`, of much data `keepsake doctor --all`: otherwise that of some people is checked
    """
    from keepsake.operations.doctor import run_checks

    urls = {"owner_url": migration_database_url, "functions_url": functions_url}
    findings = run_checks(open_project(data), database_url, **urls, everybody=full)
    typer.echo("\n".join(finding.line() for finding in findings))
    raise typer.Exit(any(finding.failed for finding in findings))


@app.command(cls=Command, rich_help_panel=_PANEL)
def explain(
    *,
    message_id: ExplainMessage = None,
    memory: ExplainMemory = None,
    user: ExplainUser = None,
    text: ExplainText = None,
    again: Annotated[bool, typer.Option("--again", help="Read the message anew, and store nothing of it.")] = False,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
) -> None:
    """Say why a memory is there, what became of a message, or how a text would be read.

    Says what is kept: who read the message, what each statement became, and why. The text of a statement that was
    refused is kept nowhere; `--again` shows it, with the prompt and the reply of the model, and stores nothing.

    - `keepsake explain 6f1c…`: what became of a message
    - `keepsake explain --memory M-12 --user ada@example.com`: where a memory is from
    - `keepsake explain --text "I moved to Linz last week"`: how a text would be read, of somebody not known yet
    """
    from keepsake.operations.explain import Question
    from keepsake.operations.explain import explain as run

    if [message_id, memory, text].count(None) != 2:
        raise typer.BadParameter("Name one thing: the id of a message, --memory or --text.")
    run(open_project(data), database_url, Question(message_id, memory, user, text, again), typer.echo)


@app.command(cls=Command, rich_help_panel=_PANEL)
def schedule(
    *,
    functions_url: FunctionsUrl = None,
    secret_key: SecretKey = None,
) -> None:
    """Print the statements that schedule the functions by pg_cron and pg_net, for the owner to run.

    - `keepsake schedule --functions-url https://<service>/functions/v1 | psql "$MIGRATION_DATABASE_URL"`
    """
    from keepsake.operations.schedule import write_schedule

    typer.echo(write_schedule(functions_url, secret_key))


@app.command(cls=Command, rich_help_panel=_PANEL)
def worker(data: Data = DATA, database_url: DatabaseUrl = None) -> None:
    """Run jobs until stopped, beside the functions; as many of these as the work needs.

    Reads the same settings as the functions (see `.env.example`), and beside a running stack those of the stack. The
    embedded stack has a worker already.

    - `DATABASE_URL=postgresql://… keepsake worker`
    """
    from keepsake.operations.worker import run_worker

    run_worker(open_project(data), database_url, on_ready=lambda: typer.echo("Working. Stop with Ctrl-C."))
    typer.echo("Stopped.")


@app.command(cls=Command, rich_help_panel=_PANEL)
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

    embed_all(open_project(data), database_url, again=again, say=typer.echo)


@app.command(cls=Command, rich_help_panel=_PANEL)
def mcp(
    *,
    user: AgentUser = None,
    conversation: AgentConversation = None,
    http: AgentPort = None,
    url: AgentAddress = None,
    data: Data = DATA,
    database_url: DatabaseUrl = None,
) -> None:
    """Offer the agent tool `manage_user_memory` over the Model Context Protocol.

    Reads the same settings as the functions (see `.env.example`), or those of the running stack.

    - `keepsake mcp --user ada@example.com`: to an agent that starts it, over standard input and output
    - `keepsake mcp --http 8808`: at `http://127.0.0.1:8808/mcp`, where a person's token says for whom
    - `keepsake mcp --http 8808 --url https://mcp.example.com/mcp`: the same, behind a proxy that has this address
    """
    from keepsake.endpoints.mcp import serve, serve_everybody
    from keepsake.operations.resolve_person import resolve_person

    if (user is None) == (http is None):
        raise typer.BadParameter("Name a person with --user, or a port to serve everybody on with --http.")
    person = resolve_person(open_project(data), database_url, user)
    if http is None:
        serve(person, conversation)
    else:
        serve_everybody(http, public_url=url, say=partial(typer.echo, err=True))


@app.command(cls=Command, rich_help_panel=_PANEL)
def functions_source() -> None:
    """Print the path of the file with all functions, for functions-framework to serve.

    - `python -m functions_framework --source "$(keepsake functions-source)" --target inject_memory`
    """
    typer.echo(FUNCTIONS_SOURCE)
