"""``erase-memories``: erases memories of a person for good."""

from __future__ import annotations

from keepsake.contracts.erase_memories import EraseMemoriesRequest, EraseMemoriesResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.errors import Unauthenticated
from keepsake.identity import Caller, Person
from keepsake.usecases.erase_memories import EraseRequest
from keepsake.usecases.erase_memories import erase_memories as erase


@endpoint(
    callers=(Caller.PERSON,),
    request=EraseMemoriesRequest,
    responses={200: EraseMemoriesResponse},
)
async def erase_memories(call: Call[EraseMemoriesRequest]) -> EraseMemoriesResponse:
    """Erase memories for good: some, a subject, a profile, or everything; or say what would go."""
    if not isinstance(call.identity, Person):
        raise Unauthenticated
    return EraseMemoriesResponse.model_validate(
        await erase(call.resources, call.identity, EraseRequest(**call.body.model_dump(exclude={"confirm"})))
    )
