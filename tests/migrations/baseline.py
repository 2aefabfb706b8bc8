"""Makes the baseline migration from the schema files: `make contract`, or `python -m tests.migrations.baseline`.

Until a release has frozen it, a change of the schema is an edit of a schema file, and the baseline is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from keepsake.infra.package_files import MIGRATIONS, ROOT, SUPABASE_CONFIG, schema_files
from tests.migrations.frozen import FROZEN, read

BASELINE = MIGRATIONS / "20261120120100_keepsake.sql"

_HEADER = """\
-- Everything that Keepsake creates. Read it in supabase/schemas, from which this file is made without its comments, and
-- change it there: CONTRIBUTING.md, "Changing things".
set local lock_timeout = '10s';  -- fail rather than block the host's traffic
"""
_QUOTE = re.compile(r"\$[a-z_]*\$")
_WRAPPED = (
    "alter ",
    "comment ",
    "create index",
    "create policy",
    "create trigger",
    "create unique index",
    "create view",
    "grant ",
    "revoke ",
)
"""Statements that are wrapped for reading only; each becomes one line."""


def baseline(config: Path = SUPABASE_CONFIG) -> str:
    """The statements of all schema files, without the comments and blank lines between them."""
    return _HEADER + "".join(
        f"{line}\n" for path in schema_files(config) for line in _statements(path.read_text().splitlines())
    )


def write(config: Path = SUPABASE_CONFIG, target: Path = BASELINE, frozen: Path = FROZEN) -> bool:
    """Write the baseline unless a release has frozen it, and say whether it changed."""
    text = baseline(config)
    if target.name in read(frozen) or (target.exists() and target.read_text() == text):
        return False
    target.write_text(text)
    return True


def _statements(lines: list[str]) -> Iterator[str]:
    """The lines without blank ones and comments; inside a quoted body every line is kept."""
    quote = begun = ""
    for line in lines:
        if begun or (not quote and line.lower().startswith(_WRAPPED)):
            if not line.strip().startswith("--"):
                begun = f"{begun} {line.strip()}".strip()
            if begun.endswith(";"):
                yield begun
                begun = ""
        elif quote or (line.strip() and not line.startswith("--")):
            yield line
        for found in _QUOTE.findall(line):
            if not quote:
                quote = found
            elif found == quote:
                quote = ""


def main() -> None:
    """Write the baseline, and say what became of it."""
    print(f"{BASELINE.relative_to(ROOT)}: {'written' if write() else 'as it was'}")


if __name__ == "__main__":
    main()
