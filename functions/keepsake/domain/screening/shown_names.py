"""People as a summary or a context may show them: by name, and not by the ids of their mentions ("<@4f1c…>")."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from keepsake.domain.screening.number_kinds import MENTION
from keepsake.domain.screening.screen import rejection_of_name

NOBODY_KNOWN = "somebody"
"""Who is mentioned without a name that is known."""


@lru_cache(maxsize=10_000)
def shown_name(name: str | None) -> str | None:
    """The name that its person wrote; None where there is none, or where it may not reach a model."""
    return name if name and rejection_of_name(name) is None else None


def replace_mentions(text: str, name_of: Callable[[str], str | None]) -> str:
    """The text with the names of people in the place of their ids; ``name_of`` gets an id in small letters."""
    return MENTION.sub(lambda mention: name_of(mention["id"].lower()) or NOBODY_KNOWN, text)
