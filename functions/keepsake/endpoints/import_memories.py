"""``import-memories``: imports a file of memories into a person's own profiles."""

from __future__ import annotations

from keepsake.contracts import wire
from keepsake.contracts.import_memories import ImportMemoriesQuery, ImportMemoriesRequest, ImportMemoriesResponse
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.import_memories import import_memories as run_import
from keepsake.usecases.transfer.formats import FileFormat

FILE_LIMIT = 64 * 1024 * 1024
"""Bytes a file may have."""

_FORMAT_OF_MEDIA_TYPE = {
    "text/csv": FileFormat.CSV,
    "application/json": FileFormat.JSON,
    "application/x-ndjson": FileFormat.JSON,
}


@endpoint(
    callers=(Caller.PERSON,),
    request=ImportMemoriesRequest,
    responses={200: ImportMemoriesResponse, 422: ImportMemoriesResponse},
    query={
        "atomic": "true writes nothing where one row is refused, and answers 422.",
        "file_name": "The name of the file, by which an explanation of these memories names it.",
        "profile_id": "Where rows go that name no profile; default: the primary one.",
    },
    max_upload_bytes=FILE_LIMIT,
    extra_media_types=("application/x-ndjson", "text/csv"),
)
async def import_memories(call: Call[ImportMemoriesRequest]) -> Reply:
    """Bring memories back: an export of your own, a list, one memory a line, or CSV, of up to 64 MiB."""
    query = wire.parse_query(ImportMemoriesQuery, call.query)
    file_format = _FORMAT_OF_MEDIA_TYPE.get(call.headers.get("content-type", "").partition(";")[0].strip().lower())
    report = await run_import(
        call.resources,
        call.require_person(),
        call.file,
        file_format=file_format,
        file_name=query.file_name,
        profile_id=query.profile_id,
        atomic=query.atomic,
    )
    answer = ImportMemoriesResponse.model_validate(report)
    return Reply(answer, status=422 if report.status == "refused" else 200)
