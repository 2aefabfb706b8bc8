"""What the functions that generate summaries share: their declaration, their backfill, and how they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from keepsake.contracts.summaries import (
    BACKFILL,
    GenerateSummariesRequest,
    GenerateSummariesResponse,
    parse_backfill,
)
from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.endpoints._declaration import Call, Handler
from keepsake.endpoints._handler import DeployedFunction, endpoint
from keepsake.errors import InvalidInput
from keepsake.identity import Caller
from keepsake.infra.resources import Resources
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill, SummaryRun

_Request = TypeVar("_Request", bound=GenerateSummariesRequest)


class GenerateSummaries(Protocol):
    """The use case of a level."""

    async def __call__(
        self, resources: Resources, *, max_seconds: float, backfill: SummaryBackfill | None = None
    ) -> SummaryRun:
        """Write what is due, and of a backfill."""


def summaries_endpoint(
    request: type[_Request], response: type[GenerateSummariesResponse]
) -> Callable[[Handler[_Request]], DeployedFunction]:
    """Declare a function that a scheduler calls, and that takes a backfill in its URL."""
    return endpoint(callers=(Caller.SERVICE,), request=request, responses={200: response}, query=BACKFILL)


async def run(call: Call[_Request], generate: GenerateSummaries) -> SummaryRun:
    """Generate what the call asks for."""
    return await generate(call.resources, max_seconds=call.body.max_seconds, backfill=backfill_of(call.query))


def backfill_of(query: Mapping[str, str]) -> SummaryBackfill | None:
    """What to write again, and whose; None without ``action=backfill``."""
    parsed = parse_backfill(query)
    if parsed.action is None:
        if query:
            raise InvalidInput("Only a backfill has parameters.", details="action: must be backfill")
        return None
    span = BackfillSpan(parsed.year, parsed.month, parsed.week, parsed.date)
    return SummaryBackfill(span, parsed.user_id)
