"""``chat-send``: queues the extraction of a message that was saved."""

from __future__ import annotations

from keepsake.contracts.chat_send import ChatSendRequest, ChatSendResponse, SavedMessage
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller, Service
from keepsake.store.webhook_deliveries import Receipt
from keepsake.usecases.chat_send import chat_send as note


@endpoint(
    callers=(Caller.SERVICE, Caller.WEBHOOK),
    request=ChatSendRequest,
    responses={202: ChatSendResponse, 200: ChatSendResponse},
    reads_messages=True,
)
async def chat_send(call: Call[ChatSendRequest]) -> Reply:
    """Note a saved message; 202 once the job is committed, 200 where this delivery came before."""
    saved = _saved_message(call.body)
    if saved is None:
        return _reply(Receipt("ignored", "not_a_new_message"))
    webhook_id = call.identity.webhook_id if isinstance(call.identity, Service) else None
    receipt = await note(
        call.resources, conversation_id=saved.conversation_id, message_id=saved.message_id, webhook_id=webhook_id
    )
    return _reply(receipt)


def _saved_message(body: ChatSendRequest) -> SavedMessage | None:
    """The ids, from either form; None for a webhook about anything but a new message."""
    content = body.root
    if isinstance(content, SavedMessage):
        return content
    if content.type != "INSERT" or content.table != "messages" or content.record is None:
        return None
    return SavedMessage(conversation_id=content.record.conversation_id, message_id=content.record.id)


def _reply(receipt: Receipt) -> Reply:
    return Reply(ChatSendResponse.model_validate(receipt), status=200 if receipt.repeated else 202)
