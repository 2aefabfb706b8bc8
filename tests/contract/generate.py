"""Writes anew what is generated and kept in the repository: `make contract`."""

from __future__ import annotations

import json
import sys

from keepsake.operations.migrate import migrate
from tests.architecture.source import ROOT
from tests.contract.compatibility import breaking_changes, is_new_major
from tests.contract.generated import COMPATIBILITY, generate
from tests.fixtures.db import bootstrapped, clone
from tests.fixtures.servers import embedded
from tests.migrations import baseline


def main() -> None:
    """Make each file from the code, or from a database migrated for the purpose, and say which.

    Exits instead if clients of the present version would break: then raise the first number of CONTRACT_VERSION.
    """
    baseline.main()
    with embedded(16) as cluster, clone(cluster, bootstrapped(cluster, legacy_grants=False)) as db:
        migrate(db.owner_url)
        made = generate(db.owner_url)
    if COMPATIBILITY.exists():
        before, now = json.loads(COMPATIBILITY.read_text()), json.loads(made[COMPATIBILITY])
        changes = breaking_changes(before, now)
        if changes and not is_new_major(before["version"], now["version"]):
            sys.exit(
                "These break clients; keepsake/contracts/version.py needs a new major version:\n" + "\n".join(changes)
            )
    for path, text in made.items():
        before_text = path.read_text() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"{path.relative_to(ROOT)}: {'as it was' if text == before_text else 'written'}")


if __name__ == "__main__":
    main()
