"""``all_functions``: serves every function at its own path, for who deploys one service instead of many."""

from __future__ import annotations

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from keepsake.endpoints._declaration import PREFIX
from keepsake.endpoints._handler import DEPLOYED
from keepsake.infra.resources import get_resources


@functions_framework.aio.http
async def all_functions(http: Request) -> Response:
    """Pass a request to the function that its path names, with or without ``functions/v1`` before it.

    The root and every path that names no function are the business of ``health``, which refuses what is not its own.
    """
    get_resources().begin_loading()
    path = http.url.path.strip("/").removeprefix(f"{PREFIX}/")
    return await DEPLOYED.get(path.partition("/")[0], DEPLOYED["health"])(http)
