"""Joins the items of an enumeration: "tea, coffee and juice"."""

from __future__ import annotations

from collections.abc import Sequence


def enumerate_items(items: Sequence[str]) -> str:
    """The items, with "and" before the last."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
