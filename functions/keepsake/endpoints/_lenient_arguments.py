"""Reads the arguments of a tool call as clients really send them: as JSON text, with empty strings, with "false"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult

_BOOLEANS = {"true": True, "false": False}


async def read_json_text(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Middleware of a server: replace arguments that are a JSON text by what they say, before they are validated."""
    if ctx.method == "tools/call" and ctx.params is not None and isinstance(ctx.params.get("arguments"), str):
        ctx = replace(ctx, params={**ctx.params, "arguments": _read_object(ctx.params["arguments"])})
    return await call_next(ctx)


def _read_object(text: str) -> object:
    """The value of a JSON text; any other text as it is, which validation refuses."""
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def read_arguments(arguments: Mapping[str, Any], booleans: frozenset[str]) -> dict[str, Any]:
    """Return the arguments with null for empty strings, and with booleans where ``booleans`` names them."""
    return {name: _read_argument(value, is_boolean=name in booleans) for name, value in arguments.items()}


def _read_argument(value: object, *, is_boolean: bool) -> object:
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    return _BOOLEANS.get(value.strip().lower(), value) if is_boolean else value
