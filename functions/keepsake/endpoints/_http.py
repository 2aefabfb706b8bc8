"""Reads request bodies up to a size limit, checks paths, and makes CORS headers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from starlette.requests import Request

from keepsake.errors import NotFound, TooLarge

PREFIX = "functions/v1"
"""Where Supabase has its functions, and Keepsake its own."""

_ALLOWED_HEADERS = "authorization, x-client-info, apikey, content-type, x-request-id"
_EXPOSED_HEADERS = "x-request-id, retry-after, content-disposition"


async def read_body(request: Request, limit: int) -> bytes:
    """Read the body, or raise TooLarge as soon as it exceeds the limit."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise TooLarge(f"A body may have {limit} bytes.")
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise TooLarge(f"A body may have {limit} bytes.")
        chunks.append(chunk)
    return b"".join(chunks)


def check_path(request: Request, name: str, documents: Collection[str] = ()) -> str | None:
    """Return the name of the requested document, or None for the function itself.

    Any other path is refused: deployed alone, a function is handed every path there is.
    """
    path = request.url.path.strip("/")
    if path in {"", name, f"{PREFIX}/{name}"}:
        return None
    for document in documents:
        if path in {document, f"{name}/{document}", f"{PREFIX}/{name}/{document}"}:
            return document
    raise NotFound("There is no such function.")


def cors_headers(origin: str | None, allowed: Sequence[str], method: str) -> dict[str, str]:
    """Return the CORS headers."""
    headers = {"access-control-expose-headers": _EXPOSED_HEADERS}
    if "*" in allowed:
        headers["access-control-allow-origin"] = "*"
    else:
        headers["vary"] = "Origin"
        if origin in allowed:
            headers["access-control-allow-origin"] = str(origin)
    headers["access-control-allow-methods"] = f"{method}, OPTIONS"
    headers["access-control-allow-headers"] = _ALLOWED_HEADERS
    headers["access-control-max-age"] = "86400"
    return headers
