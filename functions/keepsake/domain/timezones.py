"""Time zones by their IANA names, as profiles carry them."""

from __future__ import annotations

from zoneinfo import ZoneInfo


def find_timezone(name: str | None) -> ZoneInfo | None:
    """The zone of that name, or None where there is none (the caller then takes UTC and says so)."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
