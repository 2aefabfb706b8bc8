"""The shape of a model's reply: JSON of the schema, field by field in its type, or no reply at all.

Endpoints without a schema mode leave out what is null and add what they like: the one stands for its usual value, the
other is not looked at. A wrong type is not the schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn


class InvalidReply(ValueError):
    """The reply is not valid JSON, or not of the schema; the message says what is wrong without repeating it."""


def parse_members(text: str) -> list[Mapping[str, Any]]:
    """The memories of a reply, every field of each in its type; raises BadReply where it is no such reply."""
    return [_shaped(member, place) for place, member in enumerate(_members(text))]


def _members(text: str) -> Sequence[Any]:
    """The list of memories in a reply, its members still unread."""
    try:
        reply = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidReply("it was not valid JSON") from None
    if not isinstance(reply, dict) or not isinstance(reply.get("memories"), list):
        raise InvalidReply('it was not an object with a list "memories"')
    members: list[Any] = reply["memories"]
    return members


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


_SHAPES: Mapping[str, tuple[tuple[type, ...], Any]] = {
    "subtype": ((str,), ""),
    "confidence": ((int, float), None),
    "about": ((str,), "self"),
    "attribute": ((str,), ""),
    "value": ((str,), ""),
    "many": ((bool,), False),
    "retracts": ((bool,), False),
    "corrects": ((bool,), False),
    "importance": ((int,), 1),
    "entity": ((dict,), None),
    "language": ((str,), ""),
    "astro_context": ((dict,), None),
}
"""The types of what a memory may leave out, and what stands for it then: endpoints without a schema mode leave out."""


def _shaped(member: Any, place: int) -> Mapping[str, Any]:
    """A member with every field in its type, or BadReply."""
    if not isinstance(member, dict):
        raise InvalidReply(f"memories[{place}] was not an object")
    shaped: dict[str, Any] = {}
    for name in ("type", "text", "quote"):
        if not isinstance(member.get(name), str):
            raise InvalidReply(f"memories[{place}].{name} was not a string")
        shaped[name] = member[name]
    for name, (types, absent) in _SHAPES.items():
        value = member.get(name)
        if value is None:
            value = absent
        elif not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise InvalidReply(f"memories[{place}].{name} was of the wrong type")
        shaped[name] = value
    return shaped
