"""``keepsake doctor``: checks everything that a deployment needs, and says for each problem what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg

from keepsake.domain.timezones import find_timezone
from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.settings import Settings
from keepsake.operations.check_clocks import check_clocks
from keepsake.operations.check_data import INVARIANTS, check_invariants
from keepsake.operations.check_embedding_setup import check_vectors
from keepsake.operations.check_encryption_and_origins import check_exposure
from keepsake.operations.check_model_endpoint import check_model_endpoint
from keepsake.operations.check_model_verdict import check_model_verdict
from keepsake.operations.check_model_window import check_model_window
from keepsake.operations.check_services import check_services
from keepsake.operations.check_use import check_use
from keepsake.operations.connection import connect
from keepsake.operations.environment import required_environment, stack_environment, target_stack
from keepsake.operations.finding import Finding
from keepsake.operations.migrate import plan
from keepsake.operations.own_tables import PERSONAL
from keepsake.project.folder import ProjectFolder

MIN_POSTGRES_VERSION = 150_000

_SQL = load("doctor", SQL_FOLDER / "operations")


def run_checks(
    project: ProjectFolder,
    database_url: str | None,
    owner_url: str | None,
    *,
    functions_url: str | None = None,
    everybody: bool = False,
) -> list[Finding]:
    """Run all checks, and return their findings in the order in which to solve the problems.

    Where there is much data, only that of some people is checked, unless ``everybody`` is set.
    """
    try:
        stack = target_stack(project, database_url)
        os.environ.update(
            stack_environment(stack, project.keys()) if stack else required_environment(project, database_url)
        )
        settings = Settings.load()
    except KeepsakeError as error:
        return [Finding("settings", error.message, error.hint or "See .env.example for every setting.", failed=True)]
    owner = owner_url or (stack.db_url if stack and not database_url else None)
    key_is_elsewhere = stack is not None and stack.has_model_key and settings.openai_api_key is None
    services = (
        *check_services(settings, f"{stack.api_url}/functions/v1" if stack else functions_url),
        check_model_endpoint(settings, key_is_elsewhere=key_is_elsewhere),
        *check_model_window(settings, key_is_elsewhere=key_is_elsewhere),
        *check_model_verdict(settings, owner),
        check_vectors(settings),
    )
    return [
        Finding("settings", "complete"),
        *check_exposure(settings, owner),
        *_check_database(settings),
        *_check_same_server(settings, owner),
        *check_clocks(settings),
        check_schema(owner),
        *check_data(owner, everybody=everybody),
        *check_use(owner),
        *services,
    ]


def _check_database(settings: Settings) -> Iterator[Finding]:
    try:
        with connect(settings.database_url.get_secret_value()) as connection:
            yield _check_server(connection)
            yield _check_roles(connection)
            yield _check_login(connection)
            yield _check_row_security(connection)
    except KeepsakeError as error:
        yield Finding("database", error.message, "Check DATABASE_URL, and that the server lets you in.", failed=True)


def _check_server(connection: psycopg.Connection) -> Finding:
    version = connection.info.server_version
    if version < MIN_POSTGRES_VERSION:
        return Finding("database", f"Postgres {version // 10_000}", "Keepsake needs Postgres 15 or newer.", failed=True)
    return Finding("database", f"Postgres {version // 10_000} answers as {connection.info.user}")


def _check_roles(connection: psycopg.Connection) -> Finding:
    if missing := _read_column(connection, "missing_roles"):
        ours = missing == ["keepsake_api"]
        remedy = "Run `keepsake migrate`." if ours else "These come with Supabase; is this its database?"
        return Finding("roles", f"missing: {', '.join(missing)}", remedy, failed=True)
    return Finding("roles", "all there")


def _check_login(connection: psycopg.Connection) -> Finding:
    """Check that the functions can act as a person or as the service, and as nothing else."""
    user = connection.info.user
    if _read_column(connection, "has_excessive_rights") != [False]:
        return Finding("login", f"{user} may do too much", "Let DATABASE_URL log in as keepsake_api.", failed=True)
    if missing := _read_column(connection, "roles_not_granted"):
        grants = "; ".join(f"grant {role} to {user}" for role in missing)
        return Finding("login", f"{user} cannot become {' or '.join(missing)}", f"As the owner: {grants};", failed=True)
    return Finding("login", f"{user} may become a person or the service, and can do nothing itself")


def _check_row_security(connection: psycopg.Connection) -> Finding:
    if open_tables := _read_column(connection, "unprotected_tables", personal=list(PERSONAL)):
        remedy = f"alter table public.{open_tables[0]} enable row level security; and give it policies."
        return Finding("row-level security", f"off on {', '.join(open_tables)}", remedy, failed=True)
    return Finding("row-level security", "on for memories, conversations and messages")


def _check_same_server(settings: Settings, owner_url: str | None) -> Iterator[Finding]:
    """Compare what the two addresses reach; where one of them is away, another check says so."""
    if owner_url is None:
        return
    try:
        with connect(settings.database_url.get_secret_value()) as ours, connect(owner_url) as owners:
            is_same = _read_column(ours, "server") == _read_column(owners, "server")
    except KeepsakeError:
        return
    if not is_same:
        result = "DATABASE_URL and MIGRATION_DATABASE_URL are of different databases"
        yield Finding("database", result, "Give both the same host, port and database.", failed=True)


def check_schema(owner_url: str | None) -> Finding:
    """Compare the migrations with the database's history; the application's own are left alone."""
    if owner_url is None:
        return Finding("schema", "not looked at", "Set MIGRATION_DATABASE_URL to the owner's URL to compare versions.")
    try:
        state = plan(owner_url)
    except KeepsakeError as error:
        return Finding("schema", error.message, error.hint or "Check MIGRATION_DATABASE_URL.", failed=True)
    if state.pending:
        remedy = "Run `keepsake migrate`."
        if state.others:
            copy, push = "`keepsake migrate --copy-to <app>/supabase/migrations`", "`supabase db push --include-all`"
            remedy = f"Run {copy}, and in the application {push}."
        count = len(state.pending)
        result = f"{count} {'migration is' if count == 1 else 'migrations are'} missing"
        return Finding("schema", result, remedy, failed=True)
    return Finding("schema", f"at {state.applied[-1].version}, which is the newest")


def check_data(owner_url: str | None, *, everybody: bool) -> Iterator[Finding]:
    """Check the invariants of the data as the owner, who sees all rows."""
    if owner_url is None:
        return
    try:
        with connect(owner_url) as connection:
            check = check_invariants(connection, everybody=everybody)
            unreadable = _read_column(connection, "unreadable_turns")[0]
            timezones = dict(connection.execute(_SQL["profile_timezones"].sql.encode()).fetchall())
    except KeepsakeError as error:
        is_timeout = isinstance(error.__cause__, psycopg.errors.QueryCanceled)
        remedy = "Give the owner's login a longer statement_timeout." if is_timeout else "Run `keepsake migrate` first."
        yield Finding("data", f"not looked at: {error.message}", remedy)
        return
    if check.broken:
        result = ", ".join(f"{name} ({times})" for name, times in check.broken.most_common())
        remedy = f'psql "$MIGRATION_DATABASE_URL" -f {INVARIANTS} names each row.'
        yield Finding("data", result, remedy, failed=True)
    elif check.people is None:
        yield Finding("data", "all that must hold holds")
    else:
        result = (
            f"all that must hold holds for the {check.people} people who were looked at, the last active among them"
        )
        yield Finding("data", f"{result}; `keepsake doctor --all` looks at everybody's")
    yield check_languages(unreadable)
    yield check_timezones(timezones)


def check_languages(unreadable: int) -> Finding:
    """Report how many messages of the last week nobody could read because of their language."""
    if unreadable == 0:
        return Finding("languages", "no message of the last 7 days was in a language that could not be read")
    result = f"{unreadable} messages of the last 7 days are in a language that the rules do not know"
    return Finding("languages", result, "Set OPENAI_EXTRACTION_MODEL: a language model reads them.")


def check_timezones(profiles: Mapping[str, int]) -> Finding:
    """Report how many profiles have a time zone that nobody knows; what they hold may be anything, so none is named."""
    unknown = sum(count for name, count in profiles.items() if find_timezone(name) is None)
    if unknown == 0:
        return Finding("time zones", "all that profiles name are known")
    result = f"unknown in {unknown} {'profile' if unknown == 1 else 'profiles'}, for which UTC counts"
    return Finding("time zones", result, "Write IANA names, as Europe/Berlin, into user_profile_list.timezone.")


def _read_column(connection: psycopg.Connection, query: str, **arguments: object) -> list[Any]:
    return [row[0] for row in connection.execute(_SQL[query].sql.encode(), arguments or None)]
