"""Writes the schedule for pg_cron, with the address of the functions and the secret key in it."""

from __future__ import annotations

from urllib.parse import urlsplit

from keepsake.domain.summaries.periods import Level
from keepsake.errors import MisconfiguredError
from keepsake.infra.package_files import ROOT

PERIODIC_FUNCTIONS = ("run-due-jobs", *(level.function_name for level in Level), "archive-old-memories")
"""What a schedule has to call."""

_TEMPLATE = ROOT / "supabase" / "cron.sql"
_ADDRESS = "https://<functions>/functions/v1"
_KEY = "sb_secret_…"


def write_schedule(functions_url: str | None, secret_key: str | None) -> str:
    """Return the statements of ``supabase/cron.sql`` for one deployment; they may run again, as after a new key."""
    parts = urlsplit(functions_url or "")
    if parts.scheme not in {"http", "https"} or not parts.hostname or "'" in parts.geturl():
        hint = "Give --functions-url, or set FUNCTIONS_URL: https://<service>/functions/v1."
        raise MisconfiguredError("The address of the functions is not known.", hint=hint)
    key = (secret_key or "").partition(",")[0].strip()  # of several, the first is the newest
    if not key or "'" in key:
        raise MisconfiguredError("SUPABASE_SECRET_KEY is not set.", hint="It is what the schedule sends as `apikey`.")
    template = _TEMPLATE.read_text(encoding="utf-8")
    return template.replace(_ADDRESS, parts.geturl().rstrip("/")).replace(_KEY, key)
