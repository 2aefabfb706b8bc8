"""Request and response models of ``chat-send``: the ids of a saved message, or a database webhook."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Discriminator, Field, Tag

from keepsake.contracts.wire import Request, Response, RootRequest


class SavedMessage(Request):
    """The message that was just saved, the person's or the assistant's."""

    conversation_id: UUID
    message_id: UUID


class MessageRecord(Request):
    """The row a database webhook carries; only its ids are read, the text is read from the database."""

    model_config = ConfigDict(extra="ignore")

    id: UUID
    conversation_id: UUID


class DatabaseWebhook(Request):
    """The payload of a Supabase database webhook on ``messages``."""

    type: Literal["INSERT", "UPDATE", "DELETE"]
    table: str
    schema_: str = Field(default="public", alias="schema")
    record: MessageRecord | None = None
    old_record: dict[str, Any] | None = None


def _body_form(value: Any) -> str:
    return "webhook" if isinstance(value, dict) and ("type" in value or "record" in value) else "message"


class ChatSendRequest(
    RootRequest[
        Annotated[
            Annotated[SavedMessage, Tag("message")] | Annotated[DatabaseWebhook, Tag("webhook")],
            Discriminator(_body_form),
        ]
    ]
):
    """A saved message by its ids, or the payload of a database webhook."""


class ChatSendResponse(Response):
    """``accepted``: the rows that are now queued are committed. ``ignored``: the message makes no memory.

    ``reason`` says why it is ignored. Of an accepted message it is ``before_consent`` where no memory is made
    of it, as it is older than its author's consent there (``remember_since`` of their participant row) or an erasure.
    """

    status: Literal["accepted", "ignored"]
    reason: str | None = None
    extraction_ids: list[UUID]
