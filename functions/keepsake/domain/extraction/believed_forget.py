"""Which known memories a message asks to forget, as a capable model says."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.evidence.grounds import Said
from keepsake.domain.evidence.shared_words import shares_word
from keepsake.domain.extraction.believed_relation import numbered
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.memory import Memory

MAX_FORGOTTEN = 3
"""Memories that one message may have forgotten so; to forget everything is a command, which asks back."""


def believed_forget(numbers: Sequence[int], sources: GroundingSources) -> tuple[Memory, ...]:
    """The memories that may be forgotten; what the person confirmed or pinned only where the message names it."""
    named = numbered(numbers, sources.known)
    if len(named) > MAX_FORGOTTEN:
        return ()
    said = Said(sources.unquoted_message)
    return tuple(memory for memory in named if not memory.is_confirmed or shares_word(memory.text, said))
