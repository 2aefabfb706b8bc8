"""Request and response models of ``generate-daily-summaries``."""

from __future__ import annotations

from keepsake.contracts.summaries import GenerateSummariesRequest, GenerateSummariesResponse


class GenerateDailySummariesRequest(GenerateSummariesRequest):
    """How long to write summaries of days before answering."""


class GenerateDailySummariesResponse(GenerateSummariesResponse):
    """What the run found, and what is left."""
