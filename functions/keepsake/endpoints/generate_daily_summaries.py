"""``generate-daily-summaries``: writes the summaries of past days; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_daily_summaries import GenerateDailySummariesRequest, GenerateDailySummariesResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._summaries import run, summaries_endpoint
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries as generate


@summaries_endpoint(GenerateDailySummariesRequest, GenerateDailySummariesResponse)
async def generate_daily_summaries(call: Call[GenerateDailySummariesRequest]) -> GenerateDailySummariesResponse:
    """Write the summaries of the days that are over in their person's time zone; a backfill repeats past ones."""
    return GenerateDailySummariesResponse.model_validate(await run(call, generate))
