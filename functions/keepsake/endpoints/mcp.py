"""Serves the agent tool over the Model Context Protocol: on standard input for one person, or over HTTP by token.

The tool, its arguments and what it answers are those of ``manage-user-memory``; so are the use cases behind it.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import mcp.types as mcp
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from keepsake import __version__
from keepsake.contracts import wire
from keepsake.contracts.manage_user_memory import (
    OUTSIDE_CONVERSATIONS,
    ManageUserMemoryResponse,
    ToolArguments,
    tool_schema,
)
from keepsake.endpoints._lenient_arguments import read_arguments, read_json_text
from keepsake.endpoints._request_guard import RequestGuard
from keepsake.errors import Conflict, KeepsakeError, Unauthenticated
from keepsake.identity import Person
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.infra.resources import Resources, get_resources
from keepsake.usecases.agent.agent_session import AgentCall
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call

_BOOLEANS = frozenset({"only_this_persona"})
_STREAM_SECONDS = 5
"""How long a stop waits for calls under way; the stream on which a client listens would never end."""
_LOOPBACK = ("127.0.0.1:*", "localhost:*", "[::1]:*")

AgentResolver = Callable[[], Awaitable[AgentCall]]
"""For whom the call that is being answered acts."""


def serve(user_id: UUID | None, conversation_id: UUID | None) -> None:
    """Serve one person over standard input and output, until stopped."""
    asyncio.run(_serve(partial(_serve_stdio, agent=AgentCall(user_id=user_id, conversation_id=conversation_id))))


def serve_everybody(port: int, *, public_url: str | None, say: Callable[[str], None]) -> None:
    """Serve everybody on a local port by their own token, until stopped; a proxy may serve it at ``public_url``."""
    with _listen(port) as listener:
        local_url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        say(f"Serving at {public_url or local_url}. Stop with Ctrl-C.")

        async def serve_http(resources: Resources) -> None:
            app = http_app(resources, url=public_url or local_url)
            config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=_STREAM_SECONDS)
            await uvicorn.Server(config).serve(sockets=[listener])

        asyncio.run(_serve(serve_http))


async def _serve(run: Callable[[Resources], Awaitable[None]]) -> None:
    resources = get_resources()
    try:
        await run(resources)
    finally:
        await resources.close()


@contextmanager
def _listen(port: int) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise Conflict(f"Port {port} is taken ({error.strerror}).", hint="Choose another: --http PORT.") from None
    with listener:
        yield listener


async def _serve_stdio(resources: Resources, agent: AgentCall) -> None:
    """Serve one person over standard input and output, until the input ends."""

    async def fixed_agent() -> AgentCall:
        return agent

    server = _create_server(resources, fixed_agent, tool(has_conversation=agent.conversation_id is not None))
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http_app(resources: Resources, *, url: str) -> Starlette:
    """Create the application for streamable HTTP at ``url``; each person is identified by their token."""

    async def agent_of_token() -> AgentCall:
        token = get_access_token()
        if token is None:
            raise Unauthenticated
        return AgentCall(person=await _authenticate_person(resources, token.token))

    auth = AuthSettings(
        issuer_url=AnyHttpUrl(resources.settings.issuer or url),
        resource_server_url=AnyHttpUrl(url),
        validate_token_resource=False,  # the audience is checked with everything else in the token
    )
    app = _create_server(resources, agent_of_token, tool(has_conversation=False)).streamable_http_app(
        stateless_http=True,
        json_response=True,
        auth=auth,
        token_verifier=_TokenVerifier(resources),
        transport_security=_security(url),
    )
    app.add_middleware(RequestGuard, seconds=resources.settings.body_deadline_seconds)
    return app


def _security(url: str) -> TransportSecuritySettings:
    """Answer to this machine's names and to the public one alone, so that no website's name can be pointed here."""
    address = urlsplit(url)
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in _LOOPBACK]
    return TransportSecuritySettings(
        allowed_hosts=[*_LOOPBACK, address.netloc], allowed_origins=[*origins, f"{address.scheme}://{address.netloc}"]
    )


def _create_server(resources: Resources, resolve_agent: AgentResolver, offered: mcp.Tool) -> Server[Any]:
    """Create the MCP server with its one tool, and begin to load what reads messages, so that no call waits for it."""
    resources.begin_loading()

    async def list_tools(_: ServerRequestContext[Any], __: mcp.PaginatedRequestParams | None) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=[offered])

    async def call_tool(_: ServerRequestContext[Any], call: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        if call.name != offered.name:
            return _error_result("There is no such tool.")
        with bind_log_context(request_id=request_id(None), function="mcp"):
            return await _run_tool(resources, resolve_agent, read_arguments(call.arguments or {}, _BOOLEANS))

    server: Server[Any] = Server("keepsake", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)
    server.middleware.append(read_json_text)
    return server


def tool(*, has_conversation: bool) -> mcp.Tool:
    """Describe the tool in the protocol's format; unused arguments may be omitted, and commands need a conversation."""
    function = (tool_schema() if has_conversation else tool_schema(OUTSIDE_CONVERSATIONS))["function"]
    parameters = {key: value for key, value in function["parameters"].items() if key != "required"}
    return mcp.Tool(
        name=function["name"],
        description=function["description"],
        input_schema={**parameters, "required": ["operation"]},
    )


async def _run_tool(
    resources: Resources, resolve_agent: AgentResolver, arguments: dict[str, Any]
) -> mcp.CallToolResult:
    try:
        request = wire.parse(ToolArguments, json.dumps(arguments).encode())
        result = await execute_tool_call(resources, await resolve_agent(), ToolCall(**request.model_dump()))
    except KeepsakeError as error:
        return _error_result(" ".join(part for part in (error.message, error.details, error.hint) if part))
    except Exception as error:  # noqa: BLE001 (whatever it is, the agent gets no text of it)
        log.error("a tool call failed unexpectedly", exc_info=error)
        return _error_result("Something went wrong.")
    document = None if result.document is None else result.document.as_json()
    answer = {**ManageUserMemoryResponse.model_validate(result).model_dump(mode="json"), "document": document}
    text = result.message if document is None else json.dumps(document, ensure_ascii=False)
    return mcp.CallToolResult(content=[mcp.TextContent(type="text", text=text)], structured_content=answer)


def _error_result(message: str) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(type="text", text=message)], is_error=True)


class _TokenVerifier:
    """Verifies bearer tokens as the functions do."""

    def __init__(self, resources: Resources) -> None:
        self._use = resources

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the verified token of a person, or None; raise RetryLater while no sign-in keys can be fetched."""
        try:
            person = await _authenticate_person(self._use, token)
        except Unauthenticated:
            return None
        return AccessToken(token=token, client_id="keepsake", scopes=[], subject=str(person.user_id))


async def _authenticate_person(resources: Resources, token: str) -> Person:
    identity = await resources.authenticator.identify({"authorization": f"Bearer {token}"})
    if not isinstance(identity, Person):
        raise Unauthenticated("An agent acts for a person: send their token.")
    return identity
