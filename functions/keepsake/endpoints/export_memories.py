"""``export-memories``: exports everything that is stored about a person, as JSON or CSV."""

from __future__ import annotations

from keepsake.contracts.export_memories import ExportMemoriesRequest, ExportMemoriesResponse
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.export_memories import export_memories as export
from keepsake.usecases.transfer.formats import FileFormat


@endpoint(
    callers=(Caller.PERSON,),
    request=ExportMemoriesRequest,
    responses={200: ExportMemoriesResponse},
    extra_media_types=("text/csv",),
)
async def export_memories(call: Call[ExportMemoriesRequest]) -> Reply:
    """Download everything that is stored of you, as JSON, or your memories as CSV."""
    made = await export(call.resources, call.require_person(), file_format=FileFormat(call.body.format))
    headers = {"content-disposition": f'attachment; filename="{made.filename}"', "cache-control": "no-store"}
    return Reply(made.chunks, media_type=made.media_type, headers=headers)
