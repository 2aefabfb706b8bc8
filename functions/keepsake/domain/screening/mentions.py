"""Mentions of people by an id ("<@4f1c…>"), which no model and no memory sees: their names take its place."""

from __future__ import annotations

import re
from collections.abc import Callable

MENTION = re.compile(r"<?@!?(?P<id>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\d{15,20})\b>?")
NOBODY_KNOWN = "somebody"
"""Who is mentioned without a name that is known."""


def replace_mentions(text: str, name_of: Callable[[str], str | None]) -> str:
    """The text with the names of people in the place of their ids; ``name_of`` gets an id in small letters."""
    return MENTION.sub(lambda mention: name_of(mention["id"].lower()) or NOBODY_KNOWN, text)
