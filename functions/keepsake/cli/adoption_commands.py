"""The commands that connect Keepsake to an application's own chats, and that take it out again."""

from __future__ import annotations

from typing import Annotated

import typer

from keepsake.cli.adoption_options import (
    ADDED_PEOPLE,
    AdoptTo,
    AssistantWords,
    ChatsTable,
    Columns,
    MessagesTable,
    PeopleTable,
    UserWords,
    WriteMeta,
    parse_columns,
)
from keepsake.cli.app import DATA, Command, app, open_project
from keepsake.cli.options import Data, OwnerUrl, RemoveTo

_PANEL = "With an application"


@app.command(cls=Command, rich_help_panel=_PANEL)
def adopt(
    *,
    to: AdoptTo = None,
    chats: ChatsTable = None,
    messages: MessagesTable = None,
    people: PeopleTable = None,
    column: Columns = None,
    user_word: UserWords = None,
    assistant_word: AssistantWords = None,
    write_meta: WriteMeta = False,
    migration_database_url: OwnerUrl = None,
) -> None:
    """Recognize the chats of an application in its tables, and write the migration that connects them.

    Changes nothing in the database.

    - `keepsake adopt`: what it recognizes
    - `keepsake adopt --to my-app/supabase/migrations`: writes one file there
    - `keepsake adopt --chats threads --messages posts --column messages.role=written_by`: where names are unusual
    """
    from keepsake.operations.adoption.adopt import adopt as run
    from keepsake.operations.adoption.known import Known

    may_add_people = people == ADDED_PEOPLE
    tables = {"chats": chats, "messages": messages, "people": None if may_add_people else people}
    names = {name: table for name, table in tables.items() if table} | parse_columns(column or ())
    if migration_database_url is None:
        raise typer.BadParameter("Name the application's database: --migration-database-url URL.")
    known = Known(names, user_word or (), assistant_word or (), may_add_people, write_meta)
    run(migration_database_url, known, to, typer.echo)


@app.command(cls=Command, rich_help_panel=_PANEL)
def remove(
    *,
    migration_database_url: OwnerUrl = None,
    to: RemoveTo = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = DATA,
) -> None:
    """Take Keepsake out of a database, with everything that is remembered; your own tables stay.

    Shows what goes, and asks. Afterwards Keepsake can be installed again.

    - `MIGRATION_DATABASE_URL=postgresql://… keepsake remove`
    - `keepsake remove --to my-app/supabase/migrations`: writes the migration that does it, and changes nothing
    """
    from keepsake.operations.removal import remove as removal

    if to:
        typer.echo(f"Wrote {removal.write_removal(to)}.")
        return
    url = migration_database_url or open_project(data).owner_url()
    typer.echo("\n".join(removal.read_installation(url).lines()))
    if not yes:
        typer.confirm("Remove Keepsake?", abort=True)
    removal.remove(url, typer.echo)
