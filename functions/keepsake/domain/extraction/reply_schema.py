"""The model's reply as a pydantic model: it validates replies, and the JSON schema that is sent is derived from it.

Endpoints without a schema mode leave fields out, send null for them, or add fields: a default stands for the first two,
and what is added is ignored. A value of another type is converted where nothing is lost by it; a memory that cannot be
read is left out alone. The limits of the schema bound the length of a reply where an endpoint keeps to them; a memory
beyond them is not invalid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, ValidationError, WithJsonSchema

from keepsake.domain.memory import MAX_PER_TURN, MemoryType, Relation
from keepsake.domain.replies.conversions import to_choice, to_integer, to_text
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.lenient_model import Integer, LenientModel, Share, Text
from keepsake.domain.replies.read_object import ReplyText, read_object
from keepsake.domain.replies.shape import ReplyShape

MAX_REPLY_TEXT = 160
"""Characters of a memory's text in a reply."""

_IMPORTANCE = 1
"""The importance where the model gives none."""
_MAX_REPLY_QUOTE, _MAX_REPLY_NAME, _MAX_REPLY_TRANSITS, _MAX_NUMBERS = 150, 40, 2, 3
_MAX_TODOS = 2


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
_SHORT = _string(21)
_NUMBERS = _array({"type": "integer"}, _MAX_NUMBERS)
_ENTITY = _object(nullable=True, kind=_enum("person", "place", "org", "project").json_schema, name=_NAME)
_ASTRO_CONTEXT = _object(nullable=True, transits=_array(_NAME, _MAX_REPLY_TRANSITS))


def _to_object(value: Any) -> Any:
    """An object, or None: a memory can do without."""
    return value if isinstance(value, Mapping) and value else None


def _to_importance(value: Any) -> int:
    """A number without a fraction, or the default: a memory can do without."""
    try:
        number = float(to_integer(value))
    except (TypeError, ValueError):
        return _IMPORTANCE
    return int(number) if number.is_integer() else _IMPORTANCE


def _to_word(value: Any) -> str:
    return str(to_text(value))


def _choice(default: str) -> BeforeValidator:
    """One of the words of an enumeration; a blank one is none, and the default stands for it."""
    return BeforeValidator(lambda value: to_choice(value) or default)


def _to_numbers(value: Any) -> list[int]:
    """The numbers of a list, or a single one; what is no number is left out."""
    found: list[int] = []
    for one in value if isinstance(value, list) else [value]:
        try:
            found.append(int(to_integer(one)))
        except (TypeError, ValueError):
            continue
    return found


_Name = Annotated[Text, WithJsonSchema(_NAME)]
_Object = Annotated[dict[str, Any] | None, BeforeValidator(_to_object)]


class ReplyMemory(LenientModel):
    """One memory of a reply; every field carries its JSON schema."""

    relation: Annotated[str, _choice(Relation.NEW), _enum(*Relation)] = Relation.NEW.value
    numbers: Annotated[list[int], BeforeValidator(_to_numbers), WithJsonSchema(_NUMBERS)] = Field(default_factory=list)
    type: Annotated[str, _choice(MemoryType.FACT), _enum(*MemoryType)] = MemoryType.FACT.value
    text: Annotated[Text, WithJsonSchema(_string(MAX_REPLY_TEXT))]
    quote: Annotated[Text, WithJsonSchema(_string(_MAX_REPLY_QUOTE))]
    about: _Name = "self"
    attribute: _Name = ""
    value: _Name = ""
    when: Annotated[Text, WithJsonSchema(_SHORT)] = ""
    importance: Annotated[int, BeforeValidator(_to_importance), WithJsonSchema({"type": "integer"})] = _IMPORTANCE
    entity: Annotated[_Object, WithJsonSchema(_ENTITY)] = None
    astro_context: Annotated[_Object, WithJsonSchema(_ASTRO_CONTEXT)] = None

    # What code derives is not asked for, and still read where a model gives it.
    number: Integer = None
    subtype: Annotated[str, BeforeValidator(to_choice), BeforeValidator(_to_word)] = ""
    confidence: Share = None
    language: Annotated[Text, BeforeValidator(_to_word)] = ""

    @property
    def shown_numbers(self) -> tuple[int, ...]:
        """The numbers of the known memories that it names."""
        return (*self.numbers, *(() if self.number is None else (self.number,)))


class ReplyTodo(LenientModel):
    """What a reply says about one to-do."""

    action: Annotated[str, _choice("open"), _enum("open", "done", "dropped")] = Field(
        "open", validation_alias=AliasChoices("action", "state", "status")
    )
    text: Annotated[Text, WithJsonSchema(_string(MAX_REPLY_TEXT))] = ""
    number: Annotated[Integer, WithJsonSchema({"type": ["integer", "null"]})] = None
    due: Annotated[Text, WithJsonSchema(_SHORT)] = ""
    quote: Annotated[Text, WithJsonSchema(_string(_MAX_REPLY_QUOTE))] = ""


_DERIVED = frozenset({"number", "subtype", "confidence", "language"})
_MEMORY = {
    name: field.metadata[-1].json_schema for name, field in ReplyMemory.model_fields.items() if name not in _DERIVED
}
_TODO = {name: field.metadata[-1].json_schema for name, field in ReplyTodo.model_fields.items()}


def schema_of(limit: int = MAX_PER_TURN) -> Mapping[str, Any]:
    """The JSON schema of a reply with at most so many memories."""
    return _object(
        message_language=_SHORT,
        memories=_array(_object(**_MEMORY), limit),
        todos=_array(_object(**_TODO), _MAX_TODOS),
        forget=_NUMBERS,
    )


SHAPE = ReplyShape(
    frozenset({"memories", "todos", "forget", "message_language"}), "memories", frozenset({"text", "quote"})
)
"""What is asked for: an object with a list of memories, and what else the message says."""


@dataclass(frozen=True, slots=True)
class ReplyMembers:
    """The memories of a reply, those that could not be read by their reason, and what of the reply was repaired."""

    memories: tuple[ReplyMemory, ...]
    dropped: Counter[str]
    repairs: frozenset[str]
    todos: tuple[ReplyTodo, ...] = ()
    forget: tuple[int, ...] = ()
    """The numbers of the known memories that the message asks to forget."""
    language: str = ""
    """The language of the message."""


def parse_members(reply: ReplyText | str) -> ReplyMembers:
    """The memories of a reply; raises InvalidReply where it is none, or where none of its memories can be read."""
    read = read_object(ReplyText(reply) if isinstance(reply, str) else reply, SHAPE)
    members = read.fields.get("memories", [])
    if not isinstance(members, list):
        raise InvalidReply('it was not an object with a list "memories"')
    memories: list[ReplyMemory] = []
    problems: list[tuple[str, str]] = []
    for index, member in enumerate(members):
        try:
            memories.append(ReplyMemory.model_validate(member))
        except ValidationError as error:
            problems.append(_problem(error, index))
    if problems and not memories:
        raise InvalidReply(problems[0][1])
    dropped = Counter(reason for reason, _ in problems)
    return ReplyMembers(
        tuple(memories),
        dropped,
        read.repairs,
        _todos(read.fields.get("todos"), dropped),
        tuple(_to_numbers(read.fields.get("forget"))),
        _to_word(read.fields.get("message_language") or "").strip().casefold(),
    )


def _todos(members: Any, dropped: Counter[str]) -> tuple[ReplyTodo, ...]:
    """What a reply says about to-dos; what cannot be read is left out, and counted."""
    found: list[ReplyTodo] = []
    for member in members if isinstance(members, list) else ():
        try:
            found.append(ReplyTodo.model_validate(member))
        except ValidationError:
            dropped["todo_unreadable"] += 1
    return tuple(found[:_MAX_TODOS])


def _problem(error: ValidationError, index: int) -> tuple[str, str]:
    """The reason for which a memory is dropped, and what is wrong with it, without its words."""
    first = error.errors(include_input=False)[0]
    field = "".join(f".{name}" for name in first["loc"][:1])
    reason = "incomplete" if first["type"] == "missing" else "unreadable"
    return reason, f"memories[{index}]{field} was missing or of the wrong type"
