"""The functions of Keepsake for a chat backend: asynchronous, with retries and typed errors."""

from __future__ import annotations

import asyncio
import random
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import httpx

Body = dict[str, Any]

_RETRIED = {httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE}
_GATEWAY_FAULTS = {httpx.codes.BAD_GATEWAY, httpx.codes.GATEWAY_TIMEOUT}
_TOKEN_OF_THE_FUTURE = "PGRST303"  # noqa: S105 (a gateway's clock is ahead of that of PostgREST)
_NEVER_REPEATED = {"statement_timeout"}
_MAX_WAIT_SECONDS = 10.0
_BACKOFF = 0.25


class KeepsakeRefusal(Exception):
    """What Keepsake refused: ``code`` is stable (``errors.json``), ``status`` the HTTP status, ``message`` for reading.

    What is not an answer of Keepsake has the code ``unexpected_answer``.
    """

    def __init__(self, response: httpx.Response) -> None:
        problem = (None if response.is_success else _object(response)) or {}
        self.status = response.status_code
        self.code: str = problem.get("code", "unexpected_answer")
        self.message: str = problem.get("message", f"Keepsake's address answered {response.status_code}.")
        self.details: str | None = problem.get("details")
        self.hint: str | None = problem.get("hint")
        self.request_id: str | None = response.headers.get("x-request-id")
        super().__init__(f"{self.code}: {self.message}")


class KeepsakeClient:
    """A client of one project, for a backend that holds its secret key; use it as an asynchronous context manager.

    Every call raises KeepsakeRefusal, or httpx.TransportError where Keepsake cannot be reached in ``timeout`` seconds.
    429 and 503 are tried again ``retries`` times, after ``Retry-After`` and a random share of a backoff. A lost
    connection, 502, 504 and a token that is not valid yet are repeated once within a second, with the same ids.
    """

    def __init__(
        self, url: str, secret_key: str, *, functions_url: str | None = None, timeout: float = 30.0, retries: int = 2
    ) -> None:
        self._url = url.rstrip("/")
        self._functions_url = (functions_url or f"{self._url}/functions/v1").rstrip("/")
        self._secret_key = secret_key
        self._retries = retries
        self._http = httpx.AsyncClient(timeout=timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def inject_memory(self, conversation_id: UUID, message_id: UUID, **more: Any) -> Body:
        """Return the context for a saved message, the ids of what it is made of, and the id of the injection."""
        return await self.call("inject-memory", _message(conversation_id, message_id) | more)

    async def chat_send(self, conversation_id: UUID, message_id: UUID) -> Body:
        """Say that a message was saved; the answer says whether it is accepted."""
        return await self.call("chat-send", _message(conversation_id, message_id))

    async def record_injection(self, injection_id: UUID, message_id: UUID, **more: Any) -> Body:
        """Link an injection to the answer that was written with it."""
        return await self.call("record-injection", {"injection_id": injection_id, "message_id": message_id, **more})

    async def manage_user_memory(self, *, token: str | None = None, **command: Any) -> Body:
        """Execute the agent tool; with a person's JWT in their name."""
        return await self.call("manage-user-memory", command, token=token)

    async def save_message(
        self, conversation_id: UUID, message_id: UUID, content: str, *, user_id: UUID | None = None
    ) -> None:
        """Save a message where Keepsake reads it, a person's or the assistant's; twice changes nothing."""
        row = {"message_id": message_id, "conversation_id": conversation_id, "user_id": user_id, "content": content}
        row["role"] = "user" if user_id else "assistant"
        await self._send(f"{self._url}/rest/v1/rpc/save_message", row, {})

    async def call(
        self, function: str, body: Body | None = None, *, query: dict[str, str] | None = None, token: str | None = None
    ) -> Body:
        """Call any function by its name, as ``run-due-jobs``; with a person's JWT in their name."""
        response = await self._call(function, body, query, token)
        answer = _object(response)
        if answer is None:
            raise KeepsakeRefusal(response)
        return answer

    async def call_for_text(
        self, function: str, body: Body | None = None, *, query: dict[str, str] | None = None, token: str | None = None
    ) -> str:
        """Call a function that may answer in another form than JSON, as ``export-memories`` in CSV."""
        return (await self._call(function, body, query, token)).text

    async def _call(
        self, function: str, body: Body | None, query: dict[str, str] | None, token: str | None
    ) -> httpx.Response:
        url = httpx.URL(f"{self._functions_url}/{function}")
        return await self._send(str(url.copy_merge_params(query or {})), body or {}, {}, token)

    async def _send(self, url: str, body: Body, headers: dict[str, str], token: str | None = None) -> httpx.Response:
        credentials = {"authorization": f"Bearer {token}"} if token else {"apikey": self._secret_key}
        parameters = {name: str(value) if isinstance(value, UUID) else value for name, value in body.items()}
        request = self._http.build_request("POST", url, json=parameters, headers=credentials | headers)
        response = await self._send_once_more(request)
        for attempt in range(self._retries):
            delay = _delay(response, _BACKOFF * 2**attempt)
            if response.status_code not in _RETRIED or delay > _MAX_WAIT_SECONDS:
                break
            await asyncio.sleep(delay)
            response = await self._http.send(request)
        if not response.is_success:
            raise KeepsakeRefusal(response)
        return response

    async def _send_once_more(self, request: httpx.Request) -> httpx.Response:
        """Send the request, and again where only the way to the server failed."""
        try:
            response = await self._http.send(request)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            response = None
        if response is None or _is_passing_fault(response):
            await asyncio.sleep(_BACKOFF + random.uniform(0, _BACKOFF))  # noqa: S311 (no secret)
            response = await self._http.send(request)
        return response


def _is_passing_fault(response: httpx.Response) -> bool:
    """Whether a gateway failed for a moment."""
    code = (_object(response) or {}).get("code")
    if response.status_code == httpx.codes.UNAUTHORIZED:
        return code == _TOKEN_OF_THE_FUTURE
    return response.status_code in _GATEWAY_FAULTS and code not in _NEVER_REPEATED


def _message(conversation_id: UUID, message_id: UUID) -> Body:
    return {"conversation_id": conversation_id, "message_id": message_id}


def _delay(response: httpx.Response, backoff: float) -> float:
    """Return seconds: what Keepsake asks for and a share of the backoff, so that those refused together part ways."""
    seconds = response.headers.get("retry-after", "")
    return (float(seconds) if seconds.isdigit() else backoff / 2) + random.uniform(0, backoff / 2)  # noqa: S311


def _object(response: httpx.Response) -> Body | None:
    """The JSON object of the body; None where it is anything else, as the page of a proxy."""
    try:
        body = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) else None
