"""``extract-user-memory``: extracts memories from one message and returns them."""

from __future__ import annotations

from keepsake.contracts.extract_user_memory import ExtractUserMemoryRequest, ExtractUserMemoryResponse
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.extract_user_memory import extract_user_memory as extract


@endpoint(
    callers=(Caller.SERVICE,),
    request=ExtractUserMemoryRequest,
    responses={200: ExtractUserMemoryResponse, 202: ExtractUserMemoryResponse},
    reads_messages=True,
)
async def extract_user_memory(call: Call[ExtractUserMemoryRequest]) -> Reply:
    """Extract the memories of one turn; 202 where it waits, or another call extracts it."""
    extraction = await extract(
        call.resources, conversation_id=call.body.conversation_id, message_id=call.body.message_id
    )
    body = ExtractUserMemoryResponse.model_validate(extraction)
    return Reply(body, status=202 if extraction.status == "queued" else 200)
