"""``erase-memories``: erases memories of a person for good."""

from __future__ import annotations

from keepsake.contracts.erase_memories import EraseMemoriesRequest, EraseMemoriesResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.erase_memories import EraseRequest
from keepsake.usecases.erase_memories import erase_memories as erase


@endpoint(
    callers=(Caller.PERSON,),
    request=EraseMemoriesRequest,
    responses={200: EraseMemoriesResponse},
)
async def erase_memories(call: Call[EraseMemoriesRequest]) -> EraseMemoriesResponse:
    """Erase memories for good: some, a subject, a profile, or everything; or say what would go."""
    request = EraseRequest(**call.body.model_dump(exclude={"confirm"}))
    return EraseMemoriesResponse.model_validate(await erase(call.resources, call.require_person(), request))
