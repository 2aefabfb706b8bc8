"""Detects Drizzle and Prisma beside an application, and says by which filter they leave Keepsake's tables alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.rows import class_row

from keepsake.domain.memory import MemoryType
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.operations.own_tables import ALONE, PERSONAL, TOGETHER

_SQL = load("adoption", SQL_FOLDER / "operations")
_DRIZZLE, _PRISMA = "drizzle.config.*", "schema.prisma"
_LEVELS = 3
"""Folders above that of the migrations in which the configuration is looked for."""


@dataclass(frozen=True, slots=True)
class AuthSchema:
    """What is in the schema of Supabase Auth, to which Keepsake's tables refer."""

    tables: Sequence[str] = ("auth.users",)
    enums: Sequence[str] = ()


def read_auth_schema(connection: psycopg.Connection) -> AuthSchema:
    """Read the names of the tables and enums there."""
    with connection.cursor(row_factory=class_row(AuthSchema)) as cursor:
        return cursor.execute(_SQL["auth_schema"].sql.encode()).fetchone() or AuthSchema()


def describe_filters(folder: Path | None, taken: Collection[str] = (), auth: AuthSchema | None = None) -> Iterator[str]:
    """What to add to the configuration of the tools that are used beside a folder of migrations, or beside this one.

    ``taken`` are the application's own tables.
    """
    start = (folder or Path()).resolve()
    places = [start, *start.parents[:_LEVELS]]
    ours = [name for name in ALONE if name not in taken]
    ours += [] if any(name in taken for name in TOGETHER) else TOGETHER
    if config := next((path for place in places for path in sorted(place.glob(_DRIZZLE))), None):
        yield _describe_drizzle(config, ours)
    schemas = (path for place in places for path in (place / _PRISMA, place / "prisma" / _PRISMA))
    if schema := next((path for path in schemas if path.is_file()), None):
        yield _describe_prisma(schema, ours, auth or AuthSchema())


def _describe_drizzle(config: Path, ours: Sequence[str]) -> str:
    filters = ", ".join(f'"!{name}"' for name in ("user_memory*", *ours))
    types = ", ".join(f'"{one}"' for one in MemoryType)
    return (
        f"\nDrizzle is used here ({config.name}). Without a filter `drizzle-kit push` drops Keepsake's tables. "
        f'Add to it:\n  schemaFilter: ["public"], tablesFilter: ["*", {filters}]\n'
        "No filter holds for its type; so add to your schema, with `export`:\n"
        f'  export const memoryType = pgEnum("memory_type", [{types}]);'
    )


def _describe_prisma(schema: Path, ours: Sequence[str], auth: AuthSchema) -> str:
    """Prisma stops at a foreign key into a schema that it is not told of; once it is, it drops what is not external."""
    copies = [name for name in (*ALONE, *TOGETHER) if name not in ours]
    schemas = ["public", "auth", *(["keepsake_chats"] if copies else [])]
    tables = [f"public.{name}" for name in (*PERSONAL, *ours)] + [f"keepsake_chats.{name}" for name in copies]
    return (
        f"\nPrisma is used here ({schema.name}). Keepsake's tables refer to other schemas, so `prisma db push` and "
        "`prisma migrate dev` stop at them (P4002); `prisma migrate deploy` does not. With Prisma 6.14 to 7, "
        f"add to the datasource in {schema.name}:\n  schemas = [{_names(schemas)}]\n"
        'to each model and enum there:\n  @@schema("public")\nand to prisma.config.ts:\n'
        "  experimental: { externalTables: true },\n"
        f"  tables: {{ external: [{_names([*tables, *auth.tables])}] }},\n"
        f"  enums: {{ external: [{_names(['public.memory_type', *auth.enums])}] }}"
    )


def _names(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
