"""Postgres: the pool, transactions by profile and role, jobs that are queued as they commit, and the named SQL."""

from keepsake.infra.database.database import Database
from keepsake.infra.database.errors import RETRY_AFTER_SECONDS, hidden_when_denied
from keepsake.infra.database.insert_jobs import Job
from keepsake.infra.database.queries import Answer
from keepsake.infra.database.transaction_profiles import Profile
from keepsake.infra.database.transactions import Connection, become_service

__all__ = [
    "RETRY_AFTER_SECONDS",
    "Answer",
    "Connection",
    "Database",
    "Job",
    "Profile",
    "become_service",
    "hidden_when_denied",
]
