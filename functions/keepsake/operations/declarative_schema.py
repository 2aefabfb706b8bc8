"""Writes Keepsake's schema for a project that declares its own in files, so that a diff leaves this part alone."""

from __future__ import annotations

from pathlib import Path

from keepsake.errors import NotFound
from keepsake.infra.package_files import schema_files

FILE_NAME = "keepsake.sql"

_HEADER = """\
-- Keepsake's part of the declared schema, written by `keepsake migrate --schema-to`: write it anew with each release.
-- Keepsake's migrations create what it declares. Put it after the tables of your own that Keepsake uses
-- (user_profile_list, conversations, conversations_participants, messages, conversation_summaries).

"""


def write_schema(folder: Path) -> Path:
    """Write all schema files as one into a folder of schema files, over an earlier one, and return its path."""
    if not folder.is_dir():
        raise NotFound(f"{folder} is no folder.", hint="Name the folder that holds your application's schema files.")
    statements = "\n".join(path.read_text(encoding="utf-8") for path in schema_files())
    # Whoever compares schemas may run each statement by itself, where a local setting is gone with the next.
    statements = statements.replace("set local search_path", "set search_path")
    written = folder / FILE_NAME
    written.write_text(f"{_HEADER}{statements}\nreset search_path;\n", encoding="utf-8")
    return written
