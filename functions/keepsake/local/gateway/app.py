"""The gateway application: routes requests at one origin to PostgREST, functions, Supabase Auth and the chat page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from keepsake.local.chat import ChatPage
from keepsake.local.gateway import AUTH_PATH, FUNCTIONS_PATH, REST_PATH
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.auth_proxy import AuthProxy
from keepsake.local.gateway.rest_proxy import RestProxy, error_response


def create_gateway(
    *,
    rest_url: str,
    keys: ApiKeys,
    functions: Mapping[str, ASGIApp],
    chat: ChatPage | None = None,
    auth: AuthProxy | None = None,
) -> Starlette:
    """Create the gateway application, with sign-in and with the chat page at its root if there are such."""
    rest = RestProxy(rest_url, keys, prefix=REST_PATH)
    to_function = _FunctionRouter(functions)

    @asynccontextmanager
    async def lifespan(_gateway: Starlette) -> AsyncIterator[None]:
        yield
        await rest.close()
        for part in (chat, auth):
            if part is not None:
                await part.close()

    return Starlette(
        routes=[
            Route(f"{REST_PATH}", rest),
            Route(f"{REST_PATH}/{{path:path}}", rest),
            Route(f"{FUNCTIONS_PATH}/{{name}}", to_function),
            Route(f"{FUNCTIONS_PATH}/{{name}}/{{document}}", to_function),
            Route("/health", to_function),
            *((Route(f"{AUTH_PATH}/{{path:path}}", auth),) if auth is not None else ()),
            *(chat.routes() if chat is not None else ()),
        ],
        exception_handlers={404: _not_found},
        lifespan=lifespan,
    )


class _FunctionRouter:
    """Passes a request to the function that its path names, without the routing information of the gateway.

    What names no function goes to ``health``, which refuses what is not its own as every function does.
    """

    def __init__(self, functions: Mapping[str, ASGIApp]) -> None:
        self._functions = functions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"].get("name", "health")
        function = self._functions.get(name, self._functions["health"])
        routing_keys = {"app", "router", "endpoint", "path_params"}
        await function({name: value for name, value in scope.items() if name not in routing_keys}, receive, send)


async def _not_found(_request: Request, _error: Exception) -> Response:
    return error_response(404, "not_found", "There is nothing here.")
