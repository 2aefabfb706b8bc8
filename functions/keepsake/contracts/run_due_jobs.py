"""Request and response models of ``run-due-jobs``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from keepsake.contracts.wire import Request, Response


class RunDueJobsRequest(Request):
    """How long to work on the queue before answering; left out, the setting RUN_DUE_SECONDS."""

    max_seconds: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] | None = None


class RunDueJobsResponse(Response):
    """Turns found without a row, rows tried again, dead jobs closed, and turns that are not tried again."""

    found: int
    retried: int
    stalled: int
    quarantined: int
