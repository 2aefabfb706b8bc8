"""``metrics``: metrics in the format of Prometheus."""

from __future__ import annotations

from keepsake.contracts.metrics import MetricsRequest
from keepsake.endpoints._declaration import Call, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.infra.metrics import CONTENT_TYPE
from keepsake.usecases.metrics import metrics as gather


@endpoint(
    method="GET",
    callers=(Caller.SERVICE,),
    request=MetricsRequest,
    responses={200: None},
)
async def metrics(call: Call[MetricsRequest]) -> Reply:
    """What this process counted and what the database holds, as Prometheus text."""
    return Reply(await gather(call.resources), media_type=CONTENT_TYPE)
