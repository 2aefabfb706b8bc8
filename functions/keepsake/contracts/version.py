"""The version of what clients rely on: functions, error codes, and what a browser may do through REST."""

from __future__ import annotations

CONTRACT_VERSION = "1.0.0"
"""Semantic: whoever removes or narrows something raises the first number; the client's npm package has the same."""
