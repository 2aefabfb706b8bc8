"""Turns errors into replies, each code with its HTTP status."""

from __future__ import annotations

from keepsake.contracts.problem import Problem
from keepsake.endpoints._declaration import Reply
from keepsake.errors import KeepsakeError, RetryLater
from keepsake.infra.logs import log

STATUSES = {
    "invalid_input": 400,
    "unauthenticated": 401,
    "not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "conflict": 409,
    "too_large": 413,
    "rate_limited": 429,
    "internal_error": 500,
    "misconfigured": 500,
    "database_unavailable": 503,
    "retry_later": 503,
    "statement_timeout": 504,
}
"""The HTTP status of every error code."""


def error_reply(error: KeepsakeError) -> Reply:
    """The reply that says what was wrong."""
    problem = Problem(
        code=error.code, message=error.message, error=error.message, details=error.details, hint=error.hint
    )
    headers = {"retry-after": str(error.retry_after)} if isinstance(error, RetryLater) else {}
    status = STATUSES.get(error.code, 500)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status == 408:
        headers["connection"] = "close"
    if status >= 500 and error.__cause__:
        log.warning("refused", code=error.code, exc_info=error.__cause__)
    return Reply(problem, status=status, headers=headers)
