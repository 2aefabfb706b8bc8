"""The routes of the chat page: its files, sign-in of demo people, and the answer to a message as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from keepsake.errors import Conflict, InvalidInput, KeepsakeError, NotFound, RetryLater, Unauthenticated
from keepsake.identity import Person
from keepsake.infra.auth.authenticate import Authenticator
from keepsake.infra.settings import Settings
from keepsake.local.chat import static_files
from keepsake.local.chat.conversation_turn import Event, TurnRunner
from keepsake.local.chat.people import DemoPeople
from keepsake.local.chat.services import Services
from keepsake.local.gateway.rest_proxy import error_response
from keepsake.operations.check_model_verdict import has_verdict
from keepsake.project.folder import RunningStack
from keepsake.project.keys import Keys

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
_STATUS = {InvalidInput: 400, Unauthenticated: 401, NotFound: 404, Conflict: 409, RetryLater: 503}
_MAX_BODY = 4096
_NO_STORE = {"cache-control": "no-store"}
Body = TypeVar("Body", bound=BaseModel)
Handler = Callable[[Any, Request], Awaitable[Response]]


def _local_only(handler: Handler) -> Handler:
    """Turn away what does not come from this page on this machine, and answer errors in PostgREST's shape."""

    @wraps(handler)
    async def handle(page: Any, request: Request) -> Response:
        try:
            _require_same_origin(request)
            return await handler(page, request)
        except KeepsakeError as error:
            status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 500)
            return error_response(status, error.code, error.message, hint=error.hint)

    return handle


class SignIn(BaseModel):
    """Who signs in."""

    email: str


class Invitation(BaseModel):
    """Who is invited, and to which conversation."""

    conversation_id: UUID
    email: str


class Question(BaseModel):
    """A saved message that the assistant is to answer."""

    conversation_id: UUID
    message_id: UUID


class ChatPage:
    """The chat page and its small backend; the secret key never leaves it."""

    def __init__(
        self, running: RunningStack, keys: Keys, settings: Settings, *, rest_url: str, functions: Mapping[str, ASGIApp]
    ) -> None:
        self._keys, self._settings, self._auth_url = keys, settings, running.auth_url
        self._owner_url = running.db_url
        self._has_demo_people = running.embedded and running.auth_url is None
        self._authenticator = Authenticator(settings)
        self._services = Services(rest_url, keys, functions)
        self._people = DemoPeople(keys, self._services, owner_url=self._owner_url, api_url=running.api_url)
        self._turns = TurnRunner(self._services, settings)

    def routes(self) -> list[Route]:
        """Return the routes, for the gateway's root."""
        return [
            Route("/", static_files.index, methods=["GET"]),
            Route("/assets/{file}", static_files.asset, methods=["GET"]),
            Route("/chat/setup", self.setup, methods=["GET"]),
            Route("/chat/sign-in", self.sign_in, methods=["POST"]),
            Route("/chat/invite", self.invite, methods=["POST"]),
            Route("/chat/answer", self.answer, methods=["POST"]),
        ]

    async def close(self) -> None:
        """Close the connections."""
        await self._services.close()

    @_local_only
    async def setup(self, _request: Request) -> Response:
        """What the page needs to begin: the publishable key, and who can sign in."""
        people = await self._people.list_people() if self._has_demo_people else []
        model = self._settings.openai_extraction_model
        has_auth = self._auth_url is not None
        publishable_key = self._keys.publishable_key
        is_checked = await asyncio.to_thread(has_verdict, self._settings, self._owner_url)
        return _json(
            {
                "publishable_key": publishable_key,
                "model": model,
                "is_model_checked": is_checked,
                "people": people,
                "has_auth": has_auth,
            }
        )

    @_local_only
    async def sign_in(self, request: Request) -> Response:
        """A token for a demo person; only where the local stack is its own sign-in service."""
        if not self._has_demo_people:
            raise NotFound("This stack has no demo people.", hint="Sign in with Supabase Auth.")
        body = await _read_body(request, SignIn)
        return _json(await self._people.sign_in(body.email))

    @_local_only
    async def invite(self, request: Request) -> Response:
        """Add a demo person to a shared conversation of the caller."""
        person, token = await self._authenticate(request)
        body = await _read_body(request, Invitation)
        query = {"id": f"eq.{body.conversation_id}", "user_id": f"eq.{person.user_id}", "mode": "eq.together"}
        if not self._has_demo_people or not await self._services.select("conversations", query, token=token):
            raise NotFound("There is no such shared conversation, or it is not yours.")
        guest = await self._people.find_participant(body.email)
        row = {"conversation_id": str(body.conversation_id), **guest}
        await self._services.insert("conversations_participants", row, ignore_duplicates=True)
        return _json({"status": "invited"})

    @_local_only
    async def answer(self, request: Request) -> Response:
        """The answer to a message that the person saved, as lines of JSON while it is made."""
        person, token = await self._authenticate(request)
        body = await _read_body(request, Question)
        text = await self._turns.find_message(token, str(person.user_id), body.conversation_id, body.message_id)
        language = request.headers.get("accept-language", "en")
        events = self._turns.start(body.conversation_id, body.message_id, text, language=language)
        return StreamingResponse(_lines(events), media_type="application/x-ndjson", headers=_NO_STORE)

    async def _authenticate(self, request: Request) -> tuple[Person, str]:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        identity = await self._authenticator.identify({"authorization": f"Bearer {token.strip()}"})
        if scheme.lower() != "bearer" or not isinstance(identity, Person):
            raise Unauthenticated("Send the person's token.")
        return identity, token.strip()


def _require_same_origin(request: Request) -> None:
    """Refuse another host name (DNS rebinding) and another page's request."""
    host, origin = request.headers.get("host", ""), request.headers.get("origin")
    try:
        is_local = urlsplit(f"//{host}").hostname in _LOOPBACK
        is_own = origin is None or urlsplit(origin).netloc == host
    except ValueError:  # such as an address with one bracket
        is_local = is_own = False
    if not is_local:
        raise Unauthenticated("The chat page answers on this machine only.")
    if not is_own:
        raise Unauthenticated("The chat page answers its own requests only.")
    if request.method == "POST" and request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise InvalidInput("Send JSON.")


async def _read_body(request: Request, model: type[Body]) -> Body:
    if int(request.headers.get("content-length") or _MAX_BODY + 1) > _MAX_BODY:
        raise InvalidInput("The body is too large, or has no length.")
    try:
        return model.model_validate_json(await request.body())
    except ValidationError:
        raise InvalidInput("The body is not valid.") from None


def _json(value: Mapping[str, Any]) -> Response:
    return JSONResponse(value, headers=_NO_STORE)


async def _lines(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    async for event in events:
        yield json.dumps(event) + "\n"
