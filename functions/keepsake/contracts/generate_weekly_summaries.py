"""Request and response models of ``generate-weekly-summaries``."""

from __future__ import annotations

from keepsake.contracts.summaries import GenerateSummariesRequest, GenerateSummariesResponse


class GenerateWeeklySummariesRequest(GenerateSummariesRequest):
    """How long to write summaries of weeks before answering."""


class GenerateWeeklySummariesResponse(GenerateSummariesResponse):
    """What the run found, and what is left."""
