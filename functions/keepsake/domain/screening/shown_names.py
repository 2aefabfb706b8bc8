"""The name of a person as a summary or a context may show it: its person writes it directly."""

from __future__ import annotations

from functools import lru_cache

from keepsake.domain.screening.screen import rejection_of_name


@lru_cache(maxsize=10_000)
def shown_name(name: str | None) -> str | None:
    """The name; None where there is none, or where it may not reach a model."""
    return name if name and rejection_of_name(name) is None else None
