"""The body of every error response, in the format of PostgREST."""

from __future__ import annotations

from keepsake.contracts.wire import Response


class Problem(Response):
    """What went wrong: a stable code, a sentence that is safe to show, and details where there are any.

    ``error`` repeats ``message``, because the Supabase clients read it there.
    """

    code: str
    message: str
    error: str
    details: str | None = None
    hint: str | None = None
