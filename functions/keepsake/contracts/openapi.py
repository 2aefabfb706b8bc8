"""The wire of ``openapi.json``: asked with nothing, answered with the OpenAPI document."""

from __future__ import annotations

from keepsake.contracts.wire import Request


class OpenapiRequest(Request):
    """Nothing."""
