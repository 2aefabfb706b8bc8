"""The provenance of a memory, as an export states it."""

from __future__ import annotations

from keepsake.domain.memory import Source

_STATED = frozenset({Source.USER, Source.IMPORT, Source.SEEDED_PROFILE})


def provenance_of(source: str) -> str:
    """Whether a memory of this source was stated by the person, derived from other memories, or inferred."""
    if source == Source.FOLD:
        return "derived"
    return "stated" if source in _STATED else "inferred"
