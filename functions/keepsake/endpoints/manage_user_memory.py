"""``manage-user-memory``: the tool for agents; ``GET …/schema`` returns its description for a model."""

from __future__ import annotations

import json

from keepsake.contracts.manage_user_memory import ManageUserMemoryRequest, ManageUserMemoryResponse, tool_schema
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.errors import InvalidInput
from keepsake.identity import Caller
from keepsake.usecases.agent.agent_session import AgentCall
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call


@endpoint(
    callers=(Caller.SERVICE, Caller.PERSON),
    request=ManageUserMemoryRequest,
    responses={200: ManageUserMemoryResponse},
    documents={"schema": lambda: json.dumps(tool_schema(), indent=2, ensure_ascii=False).encode()},
    reads_messages=True,
)
async def manage_user_memory(call: Call[ManageUserMemoryRequest]) -> ManageUserMemoryResponse:
    """Do with a person's memory what an agent asks for: add, take back, places, the document, remember, forget."""
    body = call.body
    if call.person is None and body.user_id is None and body.message_id is None:
        raise InvalidInput(
            "The request body is not valid.", details="user_id: Say for whom, or give a message of theirs"
        )
    agent = AgentCall(call.person, body.user_id, body.conversation_id, body.message_id)
    wanted = ToolCall(**body.model_dump(exclude={"user_id", "conversation_id", "message_id"}))
    return ManageUserMemoryResponse.model_validate(await execute_tool_call(call.resources, agent, wanted))
