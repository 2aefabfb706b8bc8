"""Request and response models of ``health``."""

from __future__ import annotations

from typing import Literal

from keepsake.contracts.wire import Request, Response


class HealthRequest(Request):
    """Nothing."""


class HealthResponse(Response):
    """Whether the process lives; asked with ``?ready=true``, whether the database can serve it."""

    status: Literal["ok", "unavailable"]
    database: Literal["ok", "unavailable"] | None = None
    version: str
    reason: str | None = None
    """Why it is not ready although the database answers."""
