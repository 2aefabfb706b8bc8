"""Says whether a process can serve: its database answers, has room, accepts writes, and has this release's schema."""

from __future__ import annotations

from keepsake.infra.package_files import migration_versions
from keepsake.infra.resources import Resources
from keepsake.store import disk_space, schema_age

SCHEMA_IS_OLDER = "The database lacks migrations of this release; apply them with `keepsake migrate`."


async def find_reason_not_ready(resources: Resources) -> str | None:
    """Why the database cannot serve this release, None where it can; raise DatabaseUnavailable if it is away."""
    await resources.database.ping()
    async with resources.database.as_service() as conn:
        await disk_space.write_temporarily(conn)
        is_older = await schema_age.is_older(conn, versions=migration_versions())
    return SCHEMA_IS_OLDER if is_older else None
