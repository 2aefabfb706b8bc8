"""``keepsake doctor``: looks at everything a deployment needs, and says for each fault what to do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg

from keepsake.errors import KeepsakeError
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.embed import standing
from keepsake.operations.environment import OPENAI_URL, required_environment, stack_environment, target_stack
from keepsake.operations.migrate import plan
from keepsake.project.folder import ProjectFolder

MIN_POSTGRES_VERSION = 150_000

_INVARIANTS = SQL_FOLDER / "checks" / "invariants.sql"

_MISSING_ROLES = """
select name from unnest(array['anon', 'authenticated', 'service_role', 'keepsake_api']) as name
where not exists (select from pg_roles where rolname = name)
"""
_MAY_DO_TOO_MUCH = "select rolsuper or rolbypassrls or rolcreaterole from pg_roles where rolname = current_user"
_MAY_NOT_BECOME = """
select name from unnest(array['authenticated', 'service_role']) as name
where not pg_has_role(current_user, name, 'member')
"""
_UNPROTECTED = """
select c.relname from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
  and (c.relname like 'user\\_memory%' or has_table_privilege('authenticated', c.oid, 'select'))
order by 1
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what it is, what was found, and what to do about it, if anything."""

    subject: str
    found: str
    remedy: str = ""
    failed: bool = False

    def line(self) -> str:
        """One line, or two where there is something to do."""
        mark = "✗" if self.failed else "·" if self.remedy else "✓"
        return f"{mark} {self.subject}: {self.found}" + (f"\n    → {self.remedy}" if self.remedy else "")


def run_checks(project: ProjectFolder, database_url: str | None, owner_url: str | None) -> list[Finding]:
    """Every finding, in the order in which one would mend them."""
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
    services = (*_services(settings), _model(settings, key_is_elsewhere=key_is_elsewhere), _vectors(settings))
    return [Finding("settings", "complete"), *_database(settings), _schema(owner), *_data(owner), *services]


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        with connect(settings.database_url.get_secret_value()) as connection:
            yield _server(connection)
            yield _roles(connection)
            yield _login(connection)
            yield _row_security(connection)
    except KeepsakeError as error:
        yield Finding("database", error.message, "Check DATABASE_URL, and that the server lets you in.", failed=True)


def _server(connection: psycopg.Connection) -> Finding:
    version = connection.info.server_version
    if version < MIN_POSTGRES_VERSION:
        return Finding("database", f"Postgres {version // 10_000}", "Keepsake needs Postgres 15 or newer.", failed=True)
    return Finding("database", f"Postgres {version // 10_000} answers as {connection.info.user}")


def _roles(connection: psycopg.Connection) -> Finding:
    if missing := _column(connection, _MISSING_ROLES):
        ours = missing == ["keepsake_api"]
        remedy = "Run `keepsake migrate`." if ours else "These come with Supabase; is this its database?"
        return Finding("roles", f"missing: {', '.join(missing)}", remedy, failed=True)
    return Finding("roles", "all there")


def _login(connection: psycopg.Connection) -> Finding:
    """The functions must be able to become a person or the service, and nothing else."""
    user = connection.info.user
    if _column(connection, _MAY_DO_TOO_MUCH) != [False]:
        return Finding("login", f"{user} may do too much", "Let DATABASE_URL log in as keepsake_api.", failed=True)
    if missing := _column(connection, _MAY_NOT_BECOME):
        grants = "; ".join(f"grant {role} to {user}" for role in missing)
        return Finding("login", f"{user} cannot become {' or '.join(missing)}", f"As the owner: {grants};", failed=True)
    return Finding("login", f"{user} may become a person or the service, and can do nothing itself")


def _row_security(connection: psycopg.Connection) -> Finding:
    if open_tables := _column(connection, _UNPROTECTED):
        remedy = f"alter table public.{open_tables[0]} enable row level security; and give it policies."
        return Finding("row-level security", f"off on {', '.join(open_tables)}", remedy, failed=True)
    return Finding("row-level security", "on for every table that a person may read")


def _schema(owner_url: str | None) -> Finding:
    if owner_url is None:
        return Finding("schema", "not looked at", "Set MIGRATION_DATABASE_URL to the owner's URL to compare versions.")
    try:
        found = plan(owner_url)
    except KeepsakeError as error:
        return Finding("schema", error.message, error.hint or "Check MIGRATION_DATABASE_URL.", failed=True)
    if found.pending:
        return Finding("schema", f"{len(found.pending)} migrations are missing", "Run `keepsake migrate`.", failed=True)
    return Finding("schema", f"at {found.applied[-1].version}, which is the newest")


def _data(owner_url: str | None) -> Iterator[Finding]:
    """Whether what always holds of the data holds, seen by the owner, who sees everything."""
    if owner_url is None:
        return
    try:
        with connect(owner_url) as connection:
            broken = Counter(name for name, *_ in connection.execute(_INVARIANTS.read_bytes()))
    except (KeepsakeError, psycopg.Error) as error:
        yield Finding("data", f"not looked at ({type(error).__name__})", "Run `keepsake migrate` first.")
        return
    if broken:
        found = ", ".join(f"{name} ({times})" for name, times in broken.most_common())
        remedy = f'psql "$MIGRATION_DATABASE_URL" -f {_INVARIANTS} names each row.'
        yield Finding("data", found, remedy, failed=True)
    else:
        yield Finding("data", "all that must hold holds")


def _services(settings: Settings) -> Iterator[Finding]:
    yield _rest(settings)
    if settings.webhook_keys:
        yield Finding("webhooks", "signatures are checked")
    else:
        yield Finding("webhooks", "no secret", "Set WEBHOOK_SECRETS, or call chat-send with the secret key.")


def _rest(settings: Settings) -> Finding:
    url = f"{settings.supabase_url.rstrip('/')}/rest/v1/user_memory?select=id&limit=1"
    if not settings.secret_keys:
        return Finding("REST", "not looked at", "Set SUPABASE_SECRET_KEY to try it.")
    try:
        answer = httpx.get(url, headers={"apikey": settings.secret_keys[0]}, timeout=10)
    except httpx.HTTPError as error:
        return Finding("REST", f"{url} does not answer ({type(error).__name__})", "Check SUPABASE_URL.", failed=True)
    if answer.status_code != httpx.codes.OK:
        remedy = "Check SUPABASE_SECRET_KEY, and that schema public is exposed."
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            remedy = "PostgREST or its database is away; on this machine end `keepsake up` and start it again."
        return Finding("REST", f"{url} answers {answer.status_code}", remedy, failed=True)
    return Finding("REST", f"answers at {settings.supabase_url}")


def _model(settings: Settings, *, key_is_elsewhere: bool = False) -> Finding:
    """Whether the endpoint answers and lets us in; what it lists is not looked at, for not all can list."""
    name, key = settings.openai_extraction_model, settings.openai_api_key
    if not name:
        return Finding("model", "none: memories are found by rules")
    url = f"{(settings.openai_base_url or OPENAI_URL).rstrip('/')}/models"
    headers = {"authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    try:
        status = httpx.get(url, headers=headers, timeout=10).status_code
    except httpx.HTTPError as error:
        found = f"{url} does not answer ({type(error).__name__})"
        return Finding(
            "model", found, "Check OPENAI_BASE_URL; meanwhile turns wait, then rules read them.", failed=True
        )
    if status in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
        if key_is_elsewhere:
            found = f"{name}, at {url.removesuffix('/models')}, with a key that only the running stack has"
            return Finding("model", found, "Set OPENAI_API_KEY here too to try it.")
        return Finding("model", f"{url} answers {status}", "Check OPENAI_API_KEY.", failed=True)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return Finding("model", f"{url} answers {status}", "Wait, or ask its operator.", failed=True)
    return Finding("model", f"{name}, asked at {url.removesuffix('/models')}")


def _vectors(settings: Settings) -> Finding:
    found = standing(settings)
    return Finding("vectors", found.found, found.remedy, failed=found.failed)


def _column(connection: psycopg.Connection, query: str) -> list[Any]:
    return [row[0] for row in connection.execute(query.encode())]
