"""The version of the extraction prompt as a hash of its text: with another prompt a verdict on a model is void."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256

from keepsake.domain.extraction.prompt import PromptTurn, build_messages

_TURN = PromptTurn("I live in Graz.", datetime(2026, 1, 5, tzinfo=UTC))
_LENGTH = 12


@cache
def prompt_version() -> str:
    """The first characters of the hash of the instructions and the schema."""
    instructions = build_messages(_TURN, schema_in_prompt=True)[0]["content"]
    return sha256(instructions.encode()).hexdigest()[:_LENGTH]
