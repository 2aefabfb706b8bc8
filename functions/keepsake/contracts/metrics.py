"""Request and response models of ``metrics``: an empty request, and Prometheus text."""

from __future__ import annotations

from keepsake.contracts.wire import Request


class MetricsRequest(Request):
    """No fields."""
