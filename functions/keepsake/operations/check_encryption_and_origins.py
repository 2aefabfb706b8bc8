"""Checks what a deployment exposes needlessly: keys and data sent without encryption, and too many origins."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from keepsake.infra.settings import Settings
from keepsake.operations.finding import Finding

_ENCRYPTED_MODES = frozenset({"require", "verify-ca", "verify-full"})
_DEFAULT_MODE = "prefer"
"""What libpq does without sslmode: it goes on without encryption where the server offers none."""


def check_exposure(settings: Settings, owner_url: str | None) -> list[Finding]:
    """Warn of settings that are convenient on one machine and dangerous between machines."""
    return [
        *_check_key_set(settings),
        *_check_encryption("DATABASE_URL", settings.database_url.get_secret_value()),
        *_check_encryption("MIGRATION_DATABASE_URL", owner_url),
        *_check_origins(settings),
    ]


def _check_key_set(settings: Settings) -> Iterator[Finding]:
    if settings.supabase_jwks_url and _is_unencrypted_http(settings.supabase_jwks_url):
        remedy = "Use https: who answers in its place can sign in as anybody."
        yield Finding("key set", "SUPABASE_JWKS_URL is read over http", remedy)


def _check_encryption(variable: str, url: str | None) -> Iterator[Finding]:
    if url is None:
        return
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return  # the check of the connection says so
    hosts = f"{parts.get('hostaddr') or parts.get('host') or os.environ.get('PGHOST', '')}".split(",")
    mode = parts.get("sslmode") or os.environ.get("PGSSLMODE", _DEFAULT_MODE)
    if mode not in _ENCRYPTED_MODES and not all(is_this_machine(host) for host in hosts):
        result = f"{variable} allows a connection to another machine without encryption (sslmode={mode})"
        yield Finding("encryption", result, "Add sslmode=verify-full, or require without the server's certificate.")


def _check_origins(settings: Settings) -> Iterator[Finding]:
    if "*" in settings.allowed_origins and not is_this_machine(urlsplit(settings.supabase_url).hostname or ""):
        yield Finding("origins", "CORS_ORIGINS is *: every website may call", "List the origins of your application.")


def _is_unencrypted_http(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and not is_this_machine(parts.hostname or "")


def is_this_machine(host: str) -> bool:
    """Whether a host is this machine: a socket, a loopback address, or a name of it."""
    if host in {"", "localhost"} or host.startswith(("/", "@")) or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
