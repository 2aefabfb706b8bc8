"""How a refused body is told: by the field as the caller wrote it, with nothing of our own models in the name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from keepsake.contracts.chat_send import ChatSendRequest
from keepsake.contracts.conversation_manager import ConversationManagerRequest
from keepsake.contracts.erase_memories import EraseMemoriesRequest
from keepsake.contracts.wire import parse
from keepsake.errors import InvalidInput

CHAT = "5b1f7f0e-6d2c-4a9e-8a51-0c4b7b9d2e11"


@pytest.mark.parametrize(
    "model, body, told",
    [
        (ChatSendRequest, {"conversation_id": CHAT}, "message_id: Field required"),
        (
            ConversationManagerRequest,
            {"action": "set_memory_enabled", "conversation_id": CHAT},
            "memory_enabled: Field required",
        ),
        (ConversationManagerRequest, {}, "action: Field required"),
        (
            ConversationManagerRequest,
            {"action": "dance"},
            "action: Input should be one of 'update_conversation_profile', 'set_memory_enabled'",
        ),
        (ChatSendRequest, {"conversation_id": CHAT, "message_id": CHAT, "txt": 1}, "txt: There is no such field"),
        (EraseMemoriesRequest, {"subject": "Anna"}, 'confirm: must be "erase", for it cannot be undone'),
    ],
)
def test_refusal__names_the_field_as_it_was_written(model: type[BaseModel], body: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(model, json.dumps(body).encode())
    assert refused.value.details == told


def test_refusal__of_a_whole_body_says_so() -> None:
    with pytest.raises(InvalidInput, match="not valid") as refused:
        parse(ConversationManagerRequest, b'["dance"]')
    assert str(refused.value.details).startswith("body: ")
