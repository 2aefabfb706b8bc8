"""The model's reply as a pydantic model: it validates replies, and the JSON schema that is sent is derived from it.

Endpoints without a schema mode leave fields out, send null for them, or add fields: a default stands for the first two,
and what is added is ignored. A value of another type makes the whole reply invalid. The limits of the schema bound the
length of a reply where an endpoint keeps to them; a memory beyond them is not invalid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError, WithJsonSchema, model_validator

from keepsake.domain.memory import MAX_PER_TURN, MemoryType, Relation

MAX_REPLY_TEXT = 160
"""Characters of a memory's text in a reply."""

_MAX_REPLY_QUOTE, _MAX_REPLY_NAME, _MAX_REPLY_TRANSITS, _MAX_NUMBERS = 150, 40, 2, 4
_MAX_TODOS = 4
_LIMITS = frozenset({"maxItems", "maxLength"})


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


def _string(max_length: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": max_length}


def _array(items: Mapping[str, Any], max_items: int) -> dict[str, Any]:
    return {"type": "array", "maxItems": max_items, "items": items}


_NAME = _string(_MAX_REPLY_NAME)
_ENTITY = _object(nullable=True, kind=_enum("person", "place", "org", "project").json_schema, name=_NAME)
_ASTRO_CONTEXT = _object(nullable=True, transits=_array(_NAME, _MAX_REPLY_TRANSITS))
_Text = Annotated[InstanceOf[str], WithJsonSchema(_NAME)]


class ReplyMemory(BaseModel):
    """One memory of a reply; every field carries its JSON schema."""

    model_config = ConfigDict(strict=True, frozen=True)

    relation: Annotated[_Text, _enum(*Relation)] = Relation.NEW.value
    numbers: Annotated[InstanceOf[list[int]], WithJsonSchema(_array({"type": "integer"}, _MAX_NUMBERS))] = Field(
        default_factory=list
    )
    type: Annotated[_Text, _enum(*MemoryType)]
    text: Annotated[_Text, WithJsonSchema(_string(MAX_REPLY_TEXT))]
    quote: Annotated[_Text, WithJsonSchema(_string(_MAX_REPLY_QUOTE))]
    about: _Text = "self"
    attribute: _Text = ""
    value: _Text = ""
    when: _Text = ""
    importance: Annotated[int, WithJsonSchema({"type": "integer"})] = 1
    entity: Annotated[InstanceOf[dict[str, Any]] | None, WithJsonSchema(_ENTITY)] = None
    astro_context: Annotated[InstanceOf[dict[str, Any]] | None, WithJsonSchema(_ASTRO_CONTEXT)] = None

    # What code derives: no longer asked for, and still read where a model gives it.
    number: int | None = None
    subtype: str = ""
    confidence: int | float | None = None
    many: bool = False
    language: str = ""

    @property
    def shown_numbers(self) -> tuple[int, ...]:
        """The numbers of the known memories that it names."""
        return (*self.numbers, *(() if self.number is None else (self.number,)))

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, member: Any) -> Any:
        return {name: part for name, part in member.items() if part is not None} if isinstance(member, dict) else member


class ReplyTodo(BaseModel):
    """One statement of a reply about a to-do."""

    model_config = ConfigDict(strict=True, frozen=True)

    action: Annotated[_Text, _enum("open", "done", "dropped")] = "open"
    text: Annotated[_Text, WithJsonSchema(_string(MAX_REPLY_TEXT))]
    number: Annotated[int | None, WithJsonSchema({"type": ["integer", "null"]})] = None
    due: _Text = ""
    quote: Annotated[_Text, WithJsonSchema(_string(_MAX_REPLY_QUOTE))]

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, member: Any) -> Any:
        return {name: part for name, part in member.items() if part is not None} if isinstance(member, dict) else member


_DERIVED = frozenset({"number", "subtype", "confidence", "many", "language"})
_MEMORY = {
    name: field.metadata[-1].json_schema for name, field in ReplyMemory.model_fields.items() if name not in _DERIVED
}
_TODO = {name: field.metadata[-1].json_schema for name, field in ReplyTodo.model_fields.items()}
SCHEMA: Mapping[str, Any] = _object(
    language=_NAME,
    memories=_array(_object(**_MEMORY), MAX_PER_TURN),
    todos=_array(_object(**_TODO), _MAX_TODOS),
    forget=_array({"type": "integer"}, _MAX_NUMBERS),
)
"""The JSON schema of a reply."""


def without_limits(schema: Any) -> Any:
    """The schema without the keywords that not every endpoint knows."""
    if isinstance(schema, dict):
        return {name: without_limits(part) for name, part in schema.items() if name not in _LIMITS}
    return [without_limits(part) for part in schema] if isinstance(schema, list) else schema


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
