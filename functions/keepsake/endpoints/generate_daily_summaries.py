"""``generate-daily-summaries``: writes the summaries of past days; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_daily_summaries import GenerateDailySummariesRequest, GenerateDailySummariesResponse
from keepsake.contracts.summaries import BACKFILL
from keepsake.endpoints._backfill_parameters import backfill_of
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries as generate


@endpoint(
    callers=(Caller.SERVICE,),
    request=GenerateDailySummariesRequest,
    responses={200: GenerateDailySummariesResponse},
    query=BACKFILL,
)
async def generate_daily_summaries(call: Call[GenerateDailySummariesRequest]) -> GenerateDailySummariesResponse:
    """Write the summaries of the days that are over in their person's time zone; a backfill repeats past ones."""
    backfill = backfill_of(call.query)
    run = await generate(call.resources, max_seconds=call.body.max_seconds, backfill=backfill)
    return GenerateDailySummariesResponse.model_validate(run)
