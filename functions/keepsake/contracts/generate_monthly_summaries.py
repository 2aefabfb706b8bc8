"""Request and response models of ``generate-monthly-summaries``."""

from __future__ import annotations

from keepsake.contracts.summaries import GenerateSummariesRequest, GenerateSummariesResponse


class GenerateMonthlySummariesRequest(GenerateSummariesRequest):
    """How long to write summaries of months before answering."""


class GenerateMonthlySummariesResponse(GenerateSummariesResponse):
    """What the run found, and what is left."""
