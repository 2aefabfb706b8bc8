"""``health``: liveness of the process, and with ``?ready=true`` readiness of the database and its schema."""

from __future__ import annotations

from keepsake import __version__
from keepsake.contracts.health import HealthRequest, HealthResponse
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.errors import DatabaseUnavailable, StatementTimeout
from keepsake.usecases.health import find_reason_not_ready


@endpoint(
    method="GET",
    callers=(),
    request=HealthRequest,
    responses={200: HealthResponse, 503: HealthResponse},
    query={"ready": "true asks whether the database answers and has the migrations of this release."},
)
async def health(call: Call[HealthRequest]) -> Reply:
    """Liveness: 503 if the worker here hangs. With `?ready=true` readiness: 503 while the database is away or older."""
    if call.resources.queue.is_stalled:
        stalled = HealthResponse(status="unavailable", version=__version__)
        return Reply(stalled, status=503, headers={"retry-after": "5"})
    if call.query.get("ready") != "true":
        return Reply(HealthResponse(status="ok", version=__version__))
    try:
        reason = await find_reason_not_ready(call.resources)
    except (DatabaseUnavailable, StatementTimeout):
        unavailable = HealthResponse(status="unavailable", database="unavailable", version=__version__)
        return Reply(unavailable, status=503, headers={"retry-after": "5"})
    if reason is not None:
        outdated = HealthResponse(status="unavailable", database="ok", version=__version__, reason=reason)
        return Reply(outdated, status=503, headers={"retry-after": "5"})
    return Reply(HealthResponse(status="ok", database="ok", version=__version__))
