"""Request and response models of ``manage-user-memory``, the agent tool: what the model fills in, and its host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from keepsake.contracts.wire import Request, Response
from keepsake.domain.agent.document import Document
from keepsake.domain.memory import MemoryType, Status

Operation = Literal["add_fact", "deactivate_fact", "add_poi", "get_memory", "remember", "forget", "command"]

_REQUIRED: dict[str, tuple[str, ...]] = {
    "add_fact": ("content",),
    "deactivate_fact": ("fact_id",),
    "add_poi": ("place_id", "place_name"),
    "remember": ("content",),
    "command": ("content",),
}
_ACCEPTED: dict[str, frozenset[str]] = {
    "add_fact": frozenset({"content", "only_this_persona"}),
    "deactivate_fact": frozenset({"fact_id"}),
    "add_poi": frozenset({"place_id", "place_name", "notes"}),
    "get_memory": frozenset(),
    "remember": frozenset({"content", "only_this_persona"}),
    "forget": frozenset({"fact_id", "subject"}),
    "command": frozenset({"content"}),
}


class ToolArguments(Request):
    """What the model fills in; each operation takes its own fields, the others are null."""

    operation: Operation
    content: Annotated[str, Field(min_length=1, max_length=2_000)] | None = None
    fact_id: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    subject: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    place_id: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    place_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    notes: Annotated[str, Field(max_length=500)] | None = None
    only_this_persona: bool | None = None

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        missing = [name for name in _REQUIRED.get(self.operation, ()) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"{self.operation} needs {' and '.join(missing)}")
        if self.operation == "forget" and (self.fact_id is None) == (self.subject is None):
            raise ValueError("forget needs fact_id or subject")
        present = {name for name in _ARGUMENTS if getattr(self, name) is not None}
        if unexpected := sorted(present - _ACCEPTED[self.operation]):
            raise ValueError(f"{self.operation} does not take {' or '.join(unexpected)}")
        return self


_ARGUMENTS = tuple(name for name in ToolArguments.model_fields if name != "operation")


class ManageUserMemoryRequest(ToolArguments):
    """A call of the tool. A service says for whom: ``user_id``, or a conversation with a message of theirs."""

    user_id: UUID | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None

    @model_validator(mode="after")
    def _check_conversation(self) -> Self:
        if self.message_id is not None and self.conversation_id is None:
            raise ValueError("message_id needs conversation_id")
        return self


class ManagedMemory(Response):
    """A memory the call touched or found; ``text`` is empty where it is private and others read the answer."""

    id: UUID
    ref: str
    type: MemoryType
    text: str
    confidence: float
    status: Status


class DocumentFact(Response):
    """A fact of the memory document."""

    id: UUID
    content: str
    added_at: datetime
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    is_active: bool


class DocumentPlace(Response):
    """A place, with its mentions by conversation: message and time, oldest first."""

    place_id: str
    place_name: str
    notes: str | None
    mentioned_in: dict[UUID, list[tuple[UUID | None, datetime]]]
    added_at: datetime


class DocumentMetadata(Response):
    """What the document holds; ``token_count`` counts its facts and places."""

    last_updated: datetime | None
    total_facts: int
    total_active_facts: int
    total_pois: int
    token_count: int
    schema_version: str


class MemoryDocument(Response):
    """What an agent may know of a person, oldest first, within 10,000 tokens."""

    facts: list[DocumentFact]
    placer_user_datapoints: list[DocumentPlace]
    metadata: DocumentMetadata

    @model_validator(mode="before")
    @classmethod
    def _read_document(cls, value: Any) -> Any:
        return value.as_json() if isinstance(value, Document) else value


class ManageUserMemoryResponse(Response):
    """The result of the call; ``message`` says it in a sentence, ``operation_id`` undoes it.

    ``pending``: it concerns what the person said, pinned or confirmed. Nothing has changed; the person's next context
    asks them, and ``answer_pending_operation`` takes ``operation_id``.
    """

    operation: Operation
    status: Literal["done", "nothing", "which", "confirm", "pending", "refused", "paused", "unavailable", "limited"]
    reason: str | None = None
    message: str
    fact_id: UUID | None = None
    place_id: str | None = None
    memories: list[ManagedMemory]
    operation_id: UUID | None = None
    document: MemoryDocument | None = None


_OPERATIONS: Mapping[Operation, str] = {
    "add_fact": "keep something the person told about themselves.",
    "deactivate_fact": "a fact no longer holds.",
    "add_poi": "keep a place that matters to them.",
    "get_memory": "everything known, with the ids of the facts.",
    "remember": "the person asked for it, in their words.",
    "forget": "the person wants something gone (fact_id or subject).",
    "command": "hand on what the person said to their memory, word for word "
    '("forget that", "what do you know about X?").',
}
OUTSIDE_CONVERSATIONS: tuple[Operation, ...] = tuple(name for name in _OPERATIONS if name != "command")
"""The operations of an agent that takes part in no conversation."""

_TOOL_DESCRIPTION = """\
Long-term memory of the person you talk with; it lasts across conversations. \
Use it when they tell something lasting about themselves (name, people, home, work, tastes, goals), correct what you \
know (deactivate the old fact, then add the new one), name a place that matters to them, or ask you to remember or \
forget something. Write facts as short statements about the person: "Prefers morning workouts". \
Keep nothing secret (passwords, card, account or identity numbers), nothing that passes by tomorrow, and nothing they \
did not say themselves. Do not add what you were given as a memory: it is kept already. What the person said, pinned \
or confirmed only they can change: you are told what stands, or that it waits for their answer; then ask them."""

_FIELD_DESCRIPTIONS = {
    "content": "add_fact, remember: the statement.{command} Else null.",
    "fact_id": "deactivate_fact, forget: the fact's id, or its number (M-12). Else null.",
    "subject": "forget: what everything about is to be forgotten, a person, place or thing. Else null.",
    "place_id": "add_poi: your own lasting id of the place (home), or a map service's. Else null.",
    "place_name": "add_poi: what people call the place. Else null.",
    "notes": "add_poi: the address, or what it means to the person; may be null. Else null.",
    "only_this_persona": "add_fact, remember: true to keep it from the person's other assistants. Else null.",
}


def tool_schema(operations: Sequence[Operation] = tuple(_OPERATIONS)) -> dict[str, Any]:
    """The tool as OpenAI's chat completions take it: strict, every field required, null where it does not apply."""
    command = " command: the person's words." if "command" in operations else ""
    properties: dict[str, Any] = {
        name: {
            "type": ["boolean" if name == "only_this_persona" else "string", "null"],
            "description": _FIELD_DESCRIPTIONS[name].replace("{command}", command),
        }
        for name in _ARGUMENTS
    }
    return {
        "type": "function",
        "function": {
            "name": "manage_user_memory",
            "description": _TOOL_DESCRIPTION,
            "strict": True,
            "parameters": {
                "type": "object",
                "properties": {
                    "operation": {
                        "type": "string",
                        "enum": list(operations),
                        "description": " ".join(f"{name}: {_OPERATIONS[name]}" for name in operations),
                    },
                    **properties,
                },
                "required": ["operation", *_ARGUMENTS],
                "additionalProperties": False,
            },
        },
    }
