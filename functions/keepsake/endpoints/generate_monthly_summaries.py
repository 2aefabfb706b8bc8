"""``generate-monthly-summaries``: writes the summaries of past months; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_monthly_summaries import (
    GenerateMonthlySummariesRequest,
    GenerateMonthlySummariesResponse,
)
from keepsake.contracts.summaries import BACKFILL
from keepsake.endpoints._backfill_parameters import backfill_of
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries as generate


@endpoint(
    callers=(Caller.SERVICE,),
    request=GenerateMonthlySummariesRequest,
    responses={200: GenerateMonthlySummariesResponse},
    query=BACKFILL,
)
async def generate_monthly_summaries(call: Call[GenerateMonthlySummariesRequest]) -> GenerateMonthlySummariesResponse:
    """Write the summaries of the months that are over in their person's time zone; a backfill repeats past ones."""
    backfill = backfill_of(call.query)
    run = await generate(call.resources, max_seconds=call.body.max_seconds, backfill=backfill)
    return GenerateMonthlySummariesResponse.model_validate(run)
