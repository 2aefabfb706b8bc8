"""``record-injection``: records which answer used an injection, and how helpful it was."""

from __future__ import annotations

from keepsake.contracts.record_injection import RecordInjectionRequest, RecordInjectionResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.record_injection import record_injection as record


@endpoint(
    callers=(Caller.SERVICE,),
    request=RecordInjectionRequest,
    responses={200: RecordInjectionResponse},
)
async def record_injection(call: Call[RecordInjectionRequest]) -> RecordInjectionResponse:
    """Tie an injection to its answer, and take a helpfulness score."""
    recorded = await record(
        call.resources,
        injection_id=call.body.injection_id,
        message_id=call.body.message_id,
        helpfulness=call.body.helpfulness,
    )
    return RecordInjectionResponse.model_validate(recorded)
