"""Request and response models of ``health``."""

from __future__ import annotations

from typing import Literal

from keepsake.contracts.wire import Request, Response


class HealthRequest(Request):
    """No fields."""


class HealthResponse(Response):
    """Whether the process is alive; with ``?ready=true``, whether its database is ready."""

    status: Literal["ok", "unavailable"]
    database: Literal["ok", "unavailable"] | None = None
    version: str
    reason: str | None = None
    """Why it is not ready although the database answers."""
