"""Creates in an embedded or test database the roles and schemas that Supabase provides and no migration may create."""

from __future__ import annotations

from importlib.resources import files

import psycopg

OWNER = "supabase_owner"
REST_ROLE = "authenticator"


def bootstrap(superuser_url: str, *, legacy_grants: bool = False) -> None:
    """Make the database look like a new Supabase project; idempotent.

    ``legacy_grants`` adds the default privileges that projects made before 2026 have. A clone of this database
    (``create database … template …``) is to be made ``owner supabase_owner``, because owners are not cloned.
    """
    with psycopg.connect(superuser_url, prepare_threshold=None) as connection:
        connection.execute("set local client_min_messages = warning")
        connection.execute(_statements("bootstrap.sql"))
        if legacy_grants:
            connection.execute(_statements("legacy_grants.sql"))


def _statements(name: str) -> bytes:
    return files("keepsake.local.servers").joinpath(name).read_bytes()
