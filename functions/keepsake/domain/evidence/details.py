"""Checks the details of a statement in one call: dates, numbers and proper names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.grounds import Grounds
from keepsake.domain.evidence.names import unsupported_names
from keepsake.domain.evidence.quantities import unsupported_numbers

DetailError = Literal["invented_date", "invented_number", "invented_name"]


def detail_error(statement: str, grounds: Grounds, named: Iterable[str] = ()) -> DetailError | None:
    """The first kind of detail in a statement that its grounds do not have, or None.

    ``named`` are the names that the model itself says are names.
    """
    if unsupported_dates(statement, grounds):
        return "invented_date"
    if unsupported_numbers(statement, grounds):
        return "invented_number"
    return "invented_name" if unsupported_names(statement, grounds, named) else None
