"""The response model that the functions which generate summaries share."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from keepsake.contracts.wire import Request, Response, parse
from keepsake.errors import InvalidInput

BACKFILL = {
    "action": "backfill: write the summaries of a past period again",
    "year": "the year of the month, or the ISO year of the week",
    "month": "1 to 12",
    "week": "the ISO week, 1 to 53",
    "date": "one day, as 2024-10-31, instead of year and month or week",
    "user_id": "only this person's",
}
"""The parameters of a URL that ask for a backfill."""

Year = Annotated[int, Field(ge=1970, le=9000)]
_Date = Annotated[dt.date, Field(ge=dt.date(1970, 1, 1), le=dt.date(9000, 12, 31))]
_WRITTEN_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class GenerateSummariesRequest(Request):
    """How long to work before answering; what is left is done by the next run."""

    max_seconds: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 60.0


class GenerateSummariesResponse(Response):
    """Periods marked by a backfill, profiles that got a job, and summaries still due; ``done`` if there are none."""

    marked: int
    queued: int
    remaining: int
    done: bool


class BackfillQuery(Request):
    """The parameters of the URL."""

    action: Literal["backfill"] | None = None
    year: Year | None = None
    month: Annotated[int, Field(ge=1, le=12)] | None = None
    week: Annotated[int, Field(ge=1, le=53)] | None = None
    date: _Date | None = None
    user_id: UUID | None = None


def parse_backfill(query: Mapping[str, str]) -> BackfillQuery:
    """The parameters of a URL, or InvalidInput; numbers may have digits only, and a date only its usual form."""
    if not _WRITTEN_DATE.fullmatch(query.get("date", "1970-01-01")):  # pydantic would read a number as a time
        raise InvalidInput("The request body is not valid.", details="date: must be written as 2024-10-31")
    numbers = {"year", "month", "week"}
    values = {
        name: int(value) if name in numbers and value.isascii() and value.isdecimal() and len(value) < 5 else value
        for name, value in query.items()
    }
    return parse(BackfillQuery, json.dumps(values).encode())
