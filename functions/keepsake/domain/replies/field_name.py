"""The names of the fields of a reply, in whatever case a model writes them."""

from __future__ import annotations

from typing import Any


def field_name(key: Any) -> str:
    """The name of a field, however it was written: ``"Key Themes"`` is ``key_themes``."""
    return str(key).strip().casefold().replace("-", "_").replace(" ", "_")
