"""The model's reply as a pydantic model: it validates replies, and the JSON schema that is sent is derived from it.

Endpoints without a schema mode leave fields out, send null for them, or add fields: a default stands for the first two,
and what is added is ignored. A value of another type makes the whole reply invalid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, InstanceOf, ValidationError, WithJsonSchema, model_validator

from keepsake.domain.memory import MemoryType, Subtype


def _enum(*values: str) -> WithJsonSchema:
    """The values to choose from; another string does not make the reply invalid, but may drop the memory."""
    return WithJsonSchema({"type": "string", "enum": list(values)})


def _object(*, nullable: bool = False, **properties: Any) -> dict[str, Any]:
    """An object in the strict form that endpoints enforce: every property required, no other allowed."""
    return {
        "type": ["object", "null"] if nullable else "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_STRING = {"type": "string"}
_ENTITY = _object(nullable=True, kind=_enum("person", "place", "org", "project").json_schema, name=_STRING)
_ASTRO_CONTEXT = _object(nullable=True, transits={"type": "array", "items": _STRING})
_Text = Annotated[InstanceOf[str], WithJsonSchema(_STRING)]
_Flag = Annotated[bool, WithJsonSchema({"type": "boolean"})]


class ReplyMemory(BaseModel):
    """One memory of a reply; every field carries its JSON schema."""

    model_config = ConfigDict(strict=True, frozen=True)

    type: Annotated[_Text, _enum(*MemoryType)]
    subtype: Annotated[_Text, _enum(*Subtype)] = ""
    text: _Text
    quote: _Text
    confidence: Annotated[int | float | None, WithJsonSchema({"type": ["number", "null"]})] = None
    about: _Text = "self"
    attribute: _Text = ""
    value: _Text = ""
    many: _Flag = False
    retracts: _Flag = False
    corrects: _Flag = False
    importance: Annotated[int, WithJsonSchema({"type": "integer"})] = 1
    entity: Annotated[InstanceOf[dict[str, Any]] | None, WithJsonSchema(_ENTITY)] = None
    language: _Text = ""
    astro_context: Annotated[InstanceOf[dict[str, Any]] | None, WithJsonSchema(_ASTRO_CONTEXT)] = None

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, member: Any) -> Any:
        return {name: part for name, part in member.items() if part is not None} if isinstance(member, dict) else member


_MEMORY = {name: field.metadata[-1].json_schema for name, field in ReplyMemory.model_fields.items()}
SCHEMA: Mapping[str, Any] = _object(memories={"type": "array", "items": _object(**_MEMORY)})
"""The JSON schema of a reply."""


class InvalidReply(ValueError):
    """The reply is not valid JSON, or not of the schema; the message says what is wrong without repeating it."""


def parse_members(text: str) -> list[ReplyMemory]:
    """The memories of a reply; raises InvalidReply where it is not of the schema."""
    try:
        reply = json.loads(text, parse_constant=_refuse_number)
    except (ValueError, RecursionError):
        raise InvalidReply("it was not valid JSON") from None
    if not isinstance(reply, dict) or not isinstance(reply.get("memories"), list):
        raise InvalidReply('it was not an object with a list "memories"')
    return [_parse_member(member, index) for index, member in enumerate(reply["memories"])]


def _parse_member(member: Any, index: int) -> ReplyMemory:
    try:
        return ReplyMemory.model_validate(member)
    except ValidationError as error:
        field = "".join(f".{name}" for name in error.errors(include_input=False)[0]["loc"][:1])
        raise InvalidReply(f"memories[{index}]{field} was missing or of the wrong type") from None


def _refuse_number(name: str) -> NoReturn:
    raise ValueError(name)
