"""Detects Drizzle and Prisma beside an application, and says by which filter they leave Keepsake's tables alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from keepsake.domain.memory import MemoryType

_DRIZZLE, _PRISMA = "drizzle.config.*", "schema.prisma"
_LEVELS = 3
"""Folders above that of the migrations in which the configuration is looked for."""
_ALONE = ("user_profile_list", "conversations_participants")
_TOGETHER = ("conversations", "messages", "conversation_summaries")
"""Tables of a chat that Keepsake makes in the schema public only if the application has none of these names."""


def describe_filters(folder: Path | None, taken: Collection[str] = ()) -> Iterator[str]:
    """What to add to the configuration of the tools that are used beside a folder of migrations, or beside this one.

    ``taken`` are the application's own tables.
    """
    ours = [name for name in _ALONE if name not in taken]
    ours += [] if any(name in taken for name in _TOGETHER) else _TOGETHER
    start = (folder or Path()).resolve()
    places = [start, *start.parents[:_LEVELS]]
    if config := next((path for place in places for path in sorted(place.glob(_DRIZZLE))), None):
        filters = ", ".join(f'"!{name}"' for name in ("user_memory*", *ours))
        types = ", ".join(f'"{one}"' for one in MemoryType)
        yield (
            f"\nDrizzle is used here ({config.name}). Without a filter `drizzle-kit push` drops Keepsake's tables. "
            f'Add to it:\n  schemaFilter: ["public"], tablesFilter: ["*", {filters}]\n'
            "No filter holds for its type; so add to your schema, with `export`:\n"
            f'  export const memoryType = pgEnum("memory_type", [{types}]);'
        )
    schemas = (path for place in places for path in (place / _PRISMA, place / "prisma" / _PRISMA))
    if schema := next((path for path in schemas if path.is_file()), None):
        external = ", ".join(f'"public.{name}"' for name in ours)
        yield (
            f"\nPrisma is used here ({schema.name}). Without a filter `prisma db push` and `prisma migrate dev` would "
            "drop Keepsake's tables. Use `prisma migrate deploy` alone, or name each as external in prisma.config.ts:"
            f"\n  experimental: {{ externalTables: true }}, tables: {{ external: [{external}, …] }}"
        )
