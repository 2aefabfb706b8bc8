"""A JSON schema without what not every endpoint knows."""

from __future__ import annotations

from typing import Any

_LIMITS = frozenset({"maxItems", "maxLength"})


def without_limits(schema: Any) -> Any:
    """The schema without the keywords that not every endpoint knows."""
    if isinstance(schema, dict):
        return {name: without_limits(part) for name, part in schema.items() if name not in _LIMITS}
    return [without_limits(part) for part in schema] if isinstance(schema, list) else schema
