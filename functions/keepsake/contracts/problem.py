"""The one error body, in PostgREST's shape."""

from __future__ import annotations

from keepsake.contracts.wire import Response


class Problem(Response):
    """What went wrong: a stable code, a safe sentence, and where there is more to say, more."""

    code: str
    message: str
    details: str | None = None
    hint: str | None = None
