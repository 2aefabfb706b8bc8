"""The wire of ``metrics``: asked with nothing, answered with Prometheus text."""

from __future__ import annotations

from keepsake.contracts.wire import Request


class MetricsRequest(Request):
    """Nothing."""
