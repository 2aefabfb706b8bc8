"""``generate-weekly-summaries``: writes the summaries of past weeks; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_weekly_summaries import GenerateWeeklySummariesRequest, GenerateWeeklySummariesResponse
from keepsake.contracts.summaries import BACKFILL
from keepsake.endpoints._backfill_parameters import backfill_of
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries as generate


@endpoint(
    callers=(Caller.SERVICE,),
    request=GenerateWeeklySummariesRequest,
    responses={200: GenerateWeeklySummariesResponse},
    query=BACKFILL,
)
async def generate_weekly_summaries(call: Call[GenerateWeeklySummariesRequest]) -> GenerateWeeklySummariesResponse:
    """Write the summaries of the weeks that are over in their person's time zone; a backfill repeats past ones."""
    backfill = backfill_of(call.query)
    run = await generate(call.resources, max_seconds=call.body.max_seconds, backfill=backfill)
    return GenerateWeeklySummariesResponse.model_validate(run)
