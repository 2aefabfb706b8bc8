"""The schema of a reply bounds its length."""

from __future__ import annotations

import json
from typing import Any

from keepsake.domain.extraction.reply_schema import parse_members, schema_of
from keepsake.domain.memory import MAX_PER_TURN
from keepsake.domain.replies.json_schema import without_limits
from keepsake.infra.models.token_counter import load_token_counter

PROSE = "moved with her three children to a small house near the old harbor of the town "


def longest(schema: Any) -> Any:
    """The longest value of a schema, in English."""
    if "enum" in schema:
        return max(schema["enum"], key=len)
    kind = schema["type"][0] if isinstance(schema["type"], list) else schema["type"]
    if kind == "object":
        return {name: longest(part) for name, part in schema["properties"].items()}
    if kind == "array":
        return [longest(schema["items"])] * schema["maxItems"]
    return {"string": (PROSE * 5)[: schema.get("maxLength")], "boolean": False, "integer": 10, "number": 0.75}[kind]


def test_longest_reply__has_1600_tokens_at_most() -> None:
    reply = json.dumps(longest(schema_of()))
    assert len(parse_members(reply).memories) == MAX_PER_TURN
    assert load_token_counter()(reply) <= 1600


def test_limits__can_be_left_out_and_nothing_else_goes() -> None:
    assert "max" not in json.dumps(without_limits(schema_of()))
    assert "max" in json.dumps(schema_of())
    plain = {"type": "array", "items": {"type": "string", "enum": ["a"]}}
    assert without_limits({**plain, "maxItems": 3}) == plain
