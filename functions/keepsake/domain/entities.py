"""Whom and what a memory is about: its people, places, organisations and projects, each under one key."""

from __future__ import annotations

import re
import unicodedata

_MAX_SLUG = 80


def entity_slug(name: str) -> str:
    """A name as it stands in a key: lower case, punctuation removed, spaces and hyphens as underscores."""
    plain = unicodedata.normalize("NFKC", name).lower()
    kept = "".join(c for c in plain if c in "_- " or c.isspace() or unicodedata.category(c)[0] in "LNM")
    return re.sub(r"[\s_-]+", "_", kept).strip("_")[:_MAX_SLUG].strip("_")
