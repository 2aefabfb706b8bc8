"""The errors that Keepsake raises: one small hierarchy, each with a stable code and a message that is safe to show.

Only the endpoint shell knows which HTTP status a code becomes.
"""

from __future__ import annotations


class KeepsakeError(Exception):
    """Something went wrong."""

    code = "internal_error"

    def __init__(self, message: str | None = None, *, details: str | None = None, hint: str | None = None) -> None:
        self.message = message or (self.__doc__ or "").strip()
        self.details = details
        self.hint = hint
        super().__init__(self.message)


class InvalidInput(KeepsakeError):
    """The request is not well formed."""

    code = "invalid_input"


class Unauthenticated(KeepsakeError):
    """No valid credentials were given."""

    code = "unauthenticated"


class NotFound(KeepsakeError):
    """There is no such thing, or it is not yours."""

    code = "not_found"


class Conflict(KeepsakeError):
    """The request does not fit the present state."""

    code = "conflict"


class TooLarge(KeepsakeError):
    """The request body is larger than allowed."""

    code = "too_large"


class RequestTimeout(KeepsakeError):
    """The request body did not arrive in time."""

    code = "request_timeout"


class MethodNotAllowed(KeepsakeError):
    """This function does not answer that method."""

    code = "method_not_allowed"


class RetryLater(KeepsakeError):
    """Not now; the same request may succeed later."""

    code = "retry_later"

    def __init__(self, message: str | None = None, *, retry_after: int, **more: str | None) -> None:
        super().__init__(message, **more)
        self.retry_after = retry_after


class RateLimited(RetryLater):
    """Too many requests for this person; wait before the next."""

    code = "rate_limited"


class DatabaseUnavailable(RetryLater):
    """The database does not answer; nothing was written."""

    code = "database_unavailable"


class StatementTimeout(KeepsakeError):
    """The database needed longer for one step than it may take; nothing was written."""

    code = "statement_timeout"


class MisconfiguredError(KeepsakeError):
    """A setting is missing or contradicts another."""

    code = "misconfigured"
