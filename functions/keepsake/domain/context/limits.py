"""The limits of a context block: how many memories, how many tokens; callers may lower them, never raise them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

TokenCounter = Callable[[str], int]
"""Counts the tokens of a text (see ``infra.models.token_counter``)."""

MAX_MEMORIES = 10
"""Memories in one context, cards included."""
MAX_ALWAYS_SHOWN = 5
"""Of these, the slots for memories that are always shown: pinned ones and important preferences."""
MAX_TOKENS = 600
"""Tokens of one context, everything in it counted."""
MAX_TOKENS_FIRST_MESSAGE = 1200
"""Tokens of the context of a conversation's first message."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one context."""

    memories: int = MAX_MEMORIES
    tokens: int = MAX_TOKENS

    @classmethod
    def of(cls, *, first_message: bool, max_memories: int | None = None, token_budget: int | None = None) -> Limits:
        """The limits of a message, lowered to what the caller asks for."""
        tokens = MAX_TOKENS_FIRST_MESSAGE if first_message else MAX_TOKENS
        return cls(memories=_lower_to(MAX_MEMORIES, max_memories), tokens=_lower_to(tokens, token_budget))

    @property
    def always_shown(self) -> int:
        """The slots for always shown memories: at most five, and at most half where the caller wants fewer memories."""
        return min(MAX_ALWAYS_SHOWN, (self.memories + 1) // 2)


def _lower_to(limit: int, requested: int | None) -> int:
    return limit if requested is None else max(0, min(limit, requested))
