"""Creates in an embedded or test database the roles and schemas that Supabase provides and no migration may create."""

from __future__ import annotations

from importlib.resources import files

import psycopg

OWNER = "supabase_owner"
REST_ROLE = "authenticator"


def bootstrap(superuser_url: str) -> None:
    """Make the database look like a new Supabase project; idempotent.

    A clone of this database (``create database … template …``) is to be made ``owner supabase_owner``: owners are not
    cloned.
    """
    with psycopg.connect(superuser_url, prepare_threshold=None) as connection:
        connection.execute("set local client_min_messages = warning")
        connection.execute(files("keepsake.local.servers").joinpath("bootstrap.sql").read_bytes())
