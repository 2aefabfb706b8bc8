"""``archive-old-memories``: applies expiry and retention; a scheduler calls it daily."""

from __future__ import annotations

from keepsake.contracts.archive_old_memories import ArchiveOldMemoriesRequest, ArchiveOldMemoriesResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.archive_old_memories import archive_old_memories as archive


@endpoint(
    callers=(Caller.SERVICE,),
    request=ArchiveOldMemoriesRequest,
    responses={200: ArchiveOldMemoriesResponse},
)
async def archive_old_memories(call: Call[ArchiveOldMemoriesRequest]) -> ArchiveOldMemoriesResponse:
    """Expire, forget by retention, archive, keep to the cap, and delete for good, in batches."""
    archived = await archive(call.resources, max_seconds=call.body.max_seconds)
    return ArchiveOldMemoriesResponse.model_validate(archived)
