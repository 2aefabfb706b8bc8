"""Request and response models of ``compare-yearly-patterns``."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from keepsake.contracts.summaries import Year
from keepsake.contracts.wire import Request, Response


class CompareYearlyPatternsRequest(Request):
    """The month to compare; without one the newest stored month. A service says whose."""

    year: Year | None = None
    month: Annotated[int, Field(ge=1, le=12)] | None = None
    user_id: UUID | None = None

    @model_validator(mode="after")
    def _check_month(self) -> Self:
        if (self.year is None) != (self.month is None):
            raise ValueError("give year and month, or neither")
        return self


class BehindMonth(Response):
    """A memory that a month's summary rests on."""

    id: UUID
    text: str


class MonthSide(Response):
    """One of the two months, with its themes and the most important memories behind them."""

    year: int
    month: int
    themes: list[str]
    memories: list[BehindMonth]


class AbsentMonth(Response):
    """A month without a summary, and the call that writes it."""

    year: int
    month: int
    backfill: str


class PatternComparison(Response):
    """How the person has developed, what stayed, what changed, and what only the later month has."""

    growth: str
    stayed: list[str]
    changed: list[str]
    appeared: list[str]


class CompareYearlyPatternsResponse(Response):
    """``insufficient_history`` names the months that are missing; all else is null then."""

    status: Literal["compared", "insufficient_history"]
    year: int | None
    month: int | None
    generator: str | None
    comparison: PatternComparison | None
    earlier: MonthSide | None
    later: MonthSide | None
    missing: list[AbsentMonth]
