"""Request and response models of ``record-injection``."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from keepsake.contracts.wire import Request, Response

_Score = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class RecordInjectionRequest(Request):
    """An injection, the answer it went into and, once somebody judged it, how helpful that was (0 to 1)."""

    injection_id: UUID
    message_id: UUID
    helpfulness: _Score | None = None


class RecordInjectionResponse(Response):
    """What the answer was given; its ``meta`` now names the injection, the memories and the summaries."""

    injection_id: UUID
    message_id: UUID
    memory_ids: list[UUID]
    summary_ids: list[UUID]
    message_ids: list[UUID]
    helpfulness: float | None
