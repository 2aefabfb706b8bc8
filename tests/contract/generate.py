"""Writes anew what is generated and kept in the repository: `make contract`."""

from __future__ import annotations

from keepsake.operations.migrate import migrate
from tests.architecture.source import ROOT
from tests.contract.generated import DATABASE_TYPES, ENVIRONMENT, OPENAPI, database_types, example_environment, openapi
from tests.fixtures.db import bootstrapped, clone
from tests.fixtures.servers import embedded


def main() -> None:
    """Make each file from the code, or from a database migrated for the purpose, and say which."""
    with embedded(16) as cluster, clone(cluster, bootstrapped(cluster, legacy_grants=False)) as db:
        migrate(db.owner_url)
        types = database_types(db.owner_url)
    made = {ENVIRONMENT: example_environment(), OPENAPI: openapi(), DATABASE_TYPES: types}
    for path, text in made.items():
        before = path.read_text() if path.exists() else None
        path.write_text(text)
        print(f"{path.relative_to(ROOT)}: {'as it was' if text == before else 'written'}")


if __name__ == "__main__":
    main()
