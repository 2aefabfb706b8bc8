"""``generate-weekly-summaries``: writes the summaries of past weeks; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_weekly_summaries import GenerateWeeklySummariesRequest, GenerateWeeklySummariesResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._summaries import run, summaries_endpoint
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries as generate


@summaries_endpoint(GenerateWeeklySummariesRequest, GenerateWeeklySummariesResponse)
async def generate_weekly_summaries(call: Call[GenerateWeeklySummariesRequest]) -> GenerateWeeklySummariesResponse:
    """Write the summaries of the weeks that are over in their person's time zone; a backfill repeats past ones."""
    return GenerateWeeklySummariesResponse.model_validate(await run(call, generate))
