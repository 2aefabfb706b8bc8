"""Finds the files that ship with the code but are no modules: SQL, the schema, ``main.py``, and npm's lock.

In a checkout, which an editable install uses too, they lie where the repository has them; a wheel carries copies
beside the package, in the same folders.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

_PACKAGE = Path(str(files("keepsake")))
_COPIES = _PACKAGE / "package_files"

IS_CHECKOUT = not _COPIES.is_dir()
"""Whether the code runs from a checkout, where files can be edited and written beside it."""

ROOT = _PACKAGE.parents[1] if IS_CHECKOUT else _COPIES
"""The folder that holds ``sql/``, ``supabase/`` and ``package.json``."""

SQL_FOLDER = ROOT / "sql"
"""The named queries."""

MIGRATIONS = ROOT / "supabase" / "migrations"
"""The migrations, in the form that the Supabase CLI reads too."""

SUPABASE_CONFIG = ROOT / "supabase" / "config.toml"
"""The settings of the Supabase CLI, which name the schema files."""

FUNCTIONS_SOURCE = ROOT / "functions" / "main.py"
"""The file that functions-framework loads."""


def schema_files(config: Path = SUPABASE_CONFIG) -> list[Path]:
    """The files that say what the database is, in the order in which they are run."""
    paths = tomllib.loads(config.read_text(encoding="utf-8"))["db"]["migrations"]["schema_paths"]
    return [(config.parent / path).resolve() for path in paths]


@cache
def migration_versions() -> tuple[str, ...]:
    """The versions of the migrations, in order: what their file names begin with."""
    return tuple(sorted(path.name.partition("_")[0] for path in MIGRATIONS.glob("*.sql")))
