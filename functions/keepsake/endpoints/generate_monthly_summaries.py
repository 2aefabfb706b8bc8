"""``generate-monthly-summaries``: writes the summaries of past months; a scheduler calls it several times an hour."""

from __future__ import annotations

from keepsake.contracts.generate_monthly_summaries import (
    GenerateMonthlySummariesRequest,
    GenerateMonthlySummariesResponse,
)
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._summaries import run, summaries_endpoint
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries as generate


@summaries_endpoint(GenerateMonthlySummariesRequest, GenerateMonthlySummariesResponse)
async def generate_monthly_summaries(call: Call[GenerateMonthlySummariesRequest]) -> GenerateMonthlySummariesResponse:
    """Write the summaries of the months that are over in their person's time zone; a backfill repeats past ones."""
    return GenerateMonthlySummariesResponse.model_validate(await run(call, generate))
