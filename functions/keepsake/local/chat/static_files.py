"""Serves the built page with a content security policy that allows no inline code and no other origin."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

PAGE = Path(__file__).parent / "page"
"""What Vite builds from ``frontend_contract/client``."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}
_NO_CACHE = {"cache-control": "no-cache"}


async def index(_request: Request) -> Response:
    """The page itself."""
    return FileResponse(PAGE / "index.html", headers=HEADERS | _NO_CACHE, media_type="text/html; charset=utf-8")


async def asset(request: Request) -> Response:
    """A file that the page asks for."""
    name = request.path_params["file"]
    file = next((one for one in (PAGE / "assets").iterdir() if one.name == name), None)
    if file is None:
        return Response(status_code=404, headers=HEADERS)
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(file, headers=HEADERS | _NO_CACHE, media_type=media_type)
