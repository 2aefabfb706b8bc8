"""A setting that is a JSON object."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator


def parse_object(text: str) -> dict[str, Any]:
    """The JSON object of a setting, without one an empty one; ValueError where it is something else."""
    fields = json.loads(text) if text.strip() else {}
    if not isinstance(fields, dict):
        raise TypeError("not a JSON object")
    return fields


def _check_object(text: str) -> str:
    try:
        parse_object(text)
    except (ValueError, TypeError):
        raise ValueError('must be a JSON object, as {"reasoning_effort": "low"}') from None
    return text


JsonObject = Annotated[str, AfterValidator(_check_object)]
"""A JSON object."""
