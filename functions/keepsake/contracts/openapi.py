"""Request and response models of ``openapi.json``: an empty request, and the OpenAPI document."""

from __future__ import annotations

from keepsake.contracts.wire import Request


class OpenapiRequest(Request):
    """Nothing."""
