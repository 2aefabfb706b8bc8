"""Looks at an application's tables, says what it recognized, and writes the migration into a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from keepsake.errors import Conflict, NotFound
from keepsake.infra.package_files import migration_versions
from keepsake.operations.adoption.chat_counts import count_chats
from keepsake.operations.adoption.histories import read_element_words
from keepsake.operations.adoption.host_tables import (
    HostColumn,
    HostTables,
    qualified,
    read_filled_tables,
    read_tables,
    read_words,
)
from keepsake.operations.adoption.known import DeadEnd, Known
from keepsake.operations.adoption.migration_tools import describe_filters, read_auth_schema
from keepsake.operations.adoption.obstacles import describe_policies, require_meta, require_no_obstacle
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables, Mark, divide_words, recognize
from keepsake.operations.adoption.write_migration import write_migration
from keepsake.operations.connection import connect
from keepsake.operations.migrate import ADOPTION, copy_to, plan


def adopt(owner_url: str, known: Known, folder: Path | None, say: Callable[[str], None]) -> None:
    """Say what was recognized, and write the migration into the folder, if one is named."""
    try:
        statements = _recognize(owner_url, known, folder, say)
    except DeadEnd as end:
        raise end.refuse(known, folder) from None
    if folder is None:
        command = known.command(None, {})
        say(f"\nNothing is written yet. If that is right: `{command} --to FOLDER`, the folder of your migrations.")
        return
    say("\n".join(_write(folder, statements, is_pushed=bool(plan(owner_url).others))))


def _recognize(owner_url: str, known: Known, folder: Path | None, say: Callable[[str], None]) -> str:
    """Say what was recognized, and return the migration that connects it."""
    with connect(owner_url) as connection:
        tables = read_tables(connection)
        found = recognize(tables, known.names, read_filled_tables(connection, tables))
        require_no_obstacle(connection, found)
        if known.writes_meta:
            require_meta(tables, found)
        history = found.history
        spoken = read_element_words(connection, history) if history else read_words(connection, found.role)
        words = divide_words(spoken, known.user_words, known.assistant_words)
        counts = count_chats(connection, found)
        auth = read_auth_schema(connection)
        policies = list(describe_policies(connection, found))
        has_accounts = found.owner.type == "uuid" and counts.have_accounts
        say("\n".join(_describe(found, words, has_accounts=has_accounts)))
        for line in policies:
            say(f"\n{line}")
        say(f"\n{counts.line(may_add_people=found.signs_in_elsewhere)}")
        if found.signs_in_elsewhere and not known.may_add_people:
            raise _other_people(tables, found.owner, has_accounts=has_accounts)
    for line in describe_filters(folder, tables, auth):
        say(line)
    return write_migration(found, words, writes_meta=known.writes_meta)


def _describe(found: ChatTables, words: AuthorWords, *, has_accounts: bool) -> list[str]:
    lines = {
        "chats": f"{qualified(found.chat_id.table_name)}, of {found.owner.column_name}",
        "title": _name(found.title),
        "messages": _describe_messages(found),
        "role": f"{found.role.column_name}: {', '.join(words.people)}; of answers {', '.join(words.assistants)}",
        "written by": _describe_author(found.author),
        "text": f"{found.text.column_name} ({found.text.type}), said {found.time.column_name}",
        "deleted": _describe_marks(found),
        "people": _describe_people(found, has_accounts=has_accounts),
        "name, time zone": f"{_name(found.name)}, {_name(found.timezone)}",
    }
    if words.others:
        lines["not read"] = ", ".join(words.others)
    if "uuid" not in {found.chat_id.type} | {found.message_id.type}:
        lines["ids"] = "computed from yours (docs/existing-tables.md)"
    return [f"{name:>16}  {value}" for name, value in lines.items()]


def _describe_messages(found: ChatTables) -> str:
    if found.history:
        return f"JSON in {qualified(found.history.column.table_name)}.{found.history.column.column_name}"
    return f"{qualified(found.message_id.table_name)}, in {found.chat.column_name}"


def _describe_people(found: ChatTables, *, has_accounts: bool) -> str:
    if not found.signs_in_elsewhere:
        return _name(found.person, with_table=True) if found.person else "of Supabase Auth"
    table = (found.owner.refers_to or "").rpartition(".")[0]
    if has_accounts:
        return f"of {table}, without a foreign key to auth.users; their ids are all there"
    return f"of another sign-in{f', in {table}' if table else ''}; each gets a row in auth.users"


def _describe_marks(found: ChatTables) -> str:
    marks = [_describe_mark(mark) for mark in (found.chat_mark, found.message_mark) if mark]
    marks += [f"elements with {' or '.join(found.history.marks)}"] if found.history else []
    return f"{' and '.join(marks)}, treated as a delete" if marks else "rows are deleted, not marked"


def _describe_author(author: HostColumn | None) -> str:
    if author is None:
        return "the chat's owner, where a person wrote it"
    return f"{author.column_name}; what others than the chat's owner write is not read"


def _describe_mark(mark: Mark) -> str:
    is_one = f" = {' or '.join(mark.values)}" if mark.values else ""
    return f"{mark.column.table_name}.{mark.column.column_name}{is_one}"


def _other_people(tables: HostTables, owner: HostColumn, *, has_accounts: bool) -> DeadEnd:
    """Say whose people these are, what would be made for them, and which column may name their accounts instead."""
    place = f"{qualified(owner.table_name)}.{owner.column_name}"
    leads = f"refers to {owner.refers_to}" if owner.refers_to else f"is {owner.type}"
    people = tables.get(owner.target, {}).values()
    accounts = [one.column_name for one in people if one.type == "uuid" and not one.refers_to]
    ways: list[Mapping[str, str]] = [{"people": "auth.users"}, *({"people.account": name} for name in accounts)]
    named = " If a column holds their id in auth.users, name it: then no row is ever added." if accounts else ""
    if has_accounts:
        return DeadEnd(
            f"{place} {leads}, which has no foreign key to auth.users; but their ids are all in auth.users.",
            *ways,
            otherwise="No row is added for them; only for a person who comes without one. If that is right, say so."
            + named,
        )
    same = "the same id" if owner.type == "uuid" else "an id computed from theirs"
    return DeadEnd(
        f"{place} {leads}, which does not lead to auth.users: these people sign in elsewhere. Keepsake needs a row in "
        f"auth.users for each of them, with {same} and without a password.",
        *ways,
        otherwise=f"If the migration may add these rows, say so.{named}",
    )


def _name(column: HostColumn | None, *, with_table: bool = False) -> str:
    if column is None:
        return "-"
    return f"{qualified(column.table_name)}, by {column.column_name}" if with_table else column.column_name


def _write(folder: Path, statements: str, *, is_pushed: bool) -> list[str]:
    """Write the file, never over another, and say what is next; who pushes needs Keepsake's files there too."""
    if not folder.is_dir():
        raise NotFound(f"{folder} is no folder.", hint="Name the folder that holds your application's own migrations.")
    if written := sorted(folder.glob(f"*_{ADOPTION}.sql")):
        hint = "Delete what was not applied yet to have it written anew."
        raise Conflict(f"{written[0]} is there already.", hint=hint)
    path = folder / f"{int(migration_versions()[-1]) + 1}_{ADOPTION}.sql"
    path.write_text(statements, encoding="utf-8")
    if not is_pushed:
        return [f"\nWrote {path}. Read it; then run:", f"  keepsake migrate --also {path}"]
    copied = len(copy_to(folder))
    return [
        f"\nWrote {path}, and copied {copied} migrations of Keepsake. Read it; then, in the application, run:",
        "  supabase db push --include-all",
    ]
