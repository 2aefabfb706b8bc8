"""Who a summary is about, as a prompt may show them."""

from __future__ import annotations

from typing import NamedTuple


class Author(NamedTuple):
    """The name of a person, and their pronouns, where they gave them."""

    name: str
    pronouns: str = ""
