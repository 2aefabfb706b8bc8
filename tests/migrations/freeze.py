"""Adds the checksum of each new migration to ``frozen.txt``, from the first release on."""

from __future__ import annotations

from keepsake.infra.package_files import MIGRATIONS
from tests.migrations.frozen import freeze


def main() -> None:
    """Append what is not listed yet, and say what that was."""
    for name in freeze(MIGRATIONS):
        print(f"frozen: {name}")


if __name__ == "__main__":
    main()
