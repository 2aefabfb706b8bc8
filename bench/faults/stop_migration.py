"""Stops ``keepsake migrate`` on a new database, and compares what the next run makes with what one run makes."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL

import psycopg

from bench.harness.fault_stage import FaultStage, Tally, kill_tree, owner_environment
from keepsake.local.servers.create_supabase_roles import OWNER, bootstrap
from keepsake.operations.migrate import migrate

_MIGRATION_SECONDS = 12.0
# All that migrations make, in one number: tables, rights, columns, functions, policies, constraints, triggers.
_SCHEMA = """
select md5(string_agg(line, E'\\n' order by line)) from (
  select format('%s %s %s', oid::regclass, relrowsecurity, relacl) as line from pg_class
    where relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
  union all select format('%s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod)) from pg_attribute
    where attnum > 0 and attrelid in (select oid from pg_class
      where relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace))
  union all select format('%s %s %s', oid::regprocedure, md5(prosrc), proacl) from pg_proc
    where pronamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
  union all select format('%s %s %s %s', polname, polrelid::regclass, pg_get_expr(polqual, polrelid),
    pg_get_expr(polwithcheck, polrelid)) from pg_policy
  union all select format('%s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
  union all select format('%s %s', tgname, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all select version from supabase_migrations.schema_migrations
) as made
"""


async def stop_migration(rig: FaultStage, tally: Tally, number: int) -> None:
    """SIGTERM or SIGKILL to ``keepsake migrate`` on a new database; the next run makes the same schema as one run."""
    name = f"migrated_{number}"
    with psycopg.connect(rig.on.superuser_url, autocommit=True) as connection:
        connection.execute(f"create database {name} owner {OWNER}".encode())
    bootstrap(rig.on.server.url(database=name))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "keepsake.cli", "migrate",
        env=owner_environment(rig.on, name), stdout=DEVNULL, stderr=DEVNULL,
    )  # fmt: skip
    await _until_migrating(rig, name)
    await asyncio.sleep(rig.dice.uniform(0, 2))
    if number % 2:
        kill_tree(process)
        await process.wait()
    else:
        await tally.end(process, _MIGRATION_SECONDS)
    migrate(rig.on.server.url(OWNER, database=name))
    digests = [_digest(rig.on.server.url(database=database)) for database in (name, "postgres")]
    tally.wrong += [] if digests[0] == digests[1] else ["the schema differs from that of one run"]
    tally.rounds += 1
    with psycopg.connect(rig.on.superuser_url, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)".encode())


def _digest(url: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(_SCHEMA.encode()).fetchone()
    return row and row[0]


async def _until_migrating(rig: FaultStage, name: str) -> None:
    async with asyncio.timeout(30):
        while not rig.value("select count(*) from pg_stat_activity where datname = %s", name):  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.05)
