"""What the scripted model was told to answer, how fast it may be asked, and what it was asked."""

from __future__ import annotations

import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.model_server import broken_answers, broken_lines, broken_vectors, refusals, wrong_members
from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import Hold, Json, error

FAULTS: dict[str, Fault] = broken_lines.FAULTS | refusals.FAULTS | broken_answers.FAULTS | wrong_members.FAULTS
"""Every fault by its name; the model `fault:<name>` answers with it always."""

VECTOR_FAULTS: dict[str, Fault] = broken_lines.FAULTS | refusals.FAULTS | broken_vectors.FAULTS
"""Every fault of the answer to texts that are to be embedded."""

Scripted = Fault | str | Json
"""A reply to come: a fault or its name; or `content` or `memories`, with `finish_reason`, `refusal`, `tool_calls`, and
`hold_after`: how many words of a stream are sent before it is released."""


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    at: float
    path: str
    body: Json


@dataclass
class Rate:
    """How many requests are answered in each stretch of time; who comes before their time is refused and counted."""

    requests: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    too_early: int = 0
    _window: float = -math.inf
    _used: int = 0
    _told: float = -math.inf

    def admit(self) -> float | None:
        """None where the request may be answered, else the seconds to wait."""
        now = self.clock()
        if now >= self._window + self.seconds:
            self._window, self._used = now, 0
        if self._used < self.requests:
            self._used += 1
            return None
        self.refused += 1
        self.too_early += now < self._told
        self._told = self._window + self.seconds
        return self._told - now


@dataclass
class Script:
    """The replies to come, first one first; when there are none, a good answer."""

    replies: deque[Scripted] = field(default_factory=deque)
    otherwise: Scripted | None = None
    """What is answered when no reply is left; None is a good answer."""
    streamed: Scripted | None = None
    """What is answered instead to whoever asks for a stream, as a chat does and an extraction does not."""
    released: threading.Event = field(default_factory=threading.Event)
    """Lets a stream go on that was held after the words that `hold_after` counts."""
    vector_faults: deque[str] = field(default_factory=deque)
    """The faults to come of answers to texts that are to be embedded, by name."""
    vectors_otherwise: str | None = None
    fixed_vector: list[float] | None = None
    """What every text has for its vector, instead of one by its words."""
    rate: Rate | None = None
    latency: float = 0.0
    is_thinking: bool = False
    """No request is answered as long as this holds, so that a test can change something meanwhile."""
    received: list[Received] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def then(self, *replies: Scripted) -> None:
        """Answer the next requests with these."""
        for reply in replies:
            _check(reply)
        self.replies.extend(replies)

    def always(self, reply: Scripted | None) -> None:
        """Answer every request with this, once the replies to come are used up."""
        if reply is not None:
            _check(reply)
        self.otherwise = reply

    def vectors_then(self, *faults: str) -> None:
        """Answer the next texts that are to be embedded with these faults."""
        for fault in faults:
            _check_vectors(fault)
        self.vector_faults.extend(faults)

    def vectors_always(self, fault: str | None) -> None:
        """Answer all texts that are to be embedded with this fault, once those to come are used up."""
        if fault is not None:
            _check_vectors(fault)
        self.vectors_otherwise = fault

    def forget(self) -> None:
        """Be as new."""
        self.__init__()  # type: ignore[misc]

    @property
    def chats(self) -> list[Json]:
        """The completions that were asked for, in order."""
        return [one.body for one in self.received if one.path.endswith("/chat/completions")]

    @property
    def embeddings(self) -> list[Json]:
        """The embeddings that were asked for, in order."""
        return [one.body for one in self.received if one.path.endswith("/embeddings")]

    def receive(self, path: str, body: Json) -> Received:
        """Note a request, which is being answered until `answered`."""
        received = Received(time.monotonic(), path, body)
        self.received.append(received)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        return received

    def answered(self, request: Received) -> None:
        """Note that a request has been answered to its end; one from before `forget` counts no more."""
        if any(request is received for received in self.received):
            self.at_once -= 1

    def refusal(self) -> Response | None:
        """429 where this request is one too many."""
        wait = self.rate.admit() if self.rate else None
        if wait is None:
            return None
        body = error("Rate limit reached.", kind="requests", code="rate_limit_exceeded")
        return JSONResponse(body, 429, headers={"retry-after": str(math.ceil(wait))})

    async def reply(self, asked: Asked) -> Response:
        """The answer to a question."""
        prefix, _, named = asked.model.partition(":")
        otherwise = self.streamed if asked.body.get("stream") and self.streamed is not None else self.otherwise
        scripted = self.replies.popleft() if self.replies else named if prefix == "fault" else otherwise
        if scripted is None:
            return asked.answers_well()
        if isinstance(scripted, str):
            scripted = FAULTS.get(scripted, FAULTS["no_such_model"])
        if isinstance(scripted, dict):
            return _told(asked, scripted, self.released)
        return await scripted(asked)

    async def embed(self, asked: Asked) -> Response:
        """The answer to texts that are to be embedded."""
        prefix, _, named = asked.model.partition(":")
        always = named if prefix == "fault" else self.vectors_otherwise
        fault = self.vector_faults.popleft() if self.vector_faults else always
        if fault is None:
            return JSONResponse(broken_vectors.embedded(asked, self.fixed_vector))
        return await VECTOR_FAULTS.get(fault, FAULTS["no_such_model"])(asked)


def _told(asked: Asked, scripted: Json, released: threading.Event) -> Response:
    more: dict[str, Any] = {
        name: scripted[name] for name in ("finish_reason", "refusal", "tool_calls") if name in scripted
    }
    if "hold_after" in scripted:
        more["hold"] = Hold(scripted["hold_after"] + 1, released)
    if "memories" in scripted:
        return asked.answers(json.dumps({"memories": scripted["memories"]}), **more)
    return asked.answers(scripted.get("content"), **more)


def _check(reply: Scripted) -> None:
    if isinstance(reply, str) and reply not in FAULTS:
        raise ValueError(f"there is no fault named {reply}")


def _check_vectors(fault: str) -> None:
    if fault not in VECTOR_FAULTS:
        raise ValueError(f"there is no fault of vectors named {fault}")
