"""Finds time zones by their IANA names."""

from __future__ import annotations

from zoneinfo import ZoneInfo


def find_timezone(name: str | None) -> ZoneInfo | None:
    """The time zone of that name, or None where there is none."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
