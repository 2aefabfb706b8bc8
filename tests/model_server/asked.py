"""One request to the scripted model: what was sent, and what of it the person and the assistant had said."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from tests.model_server.completions import Hold, Json, completion, held_events
from tests.model_server.statements import Memory, find


@dataclass(frozen=True)
class Asked:
    """A request for a completion."""

    http: Request
    body: Json

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body.get("model", ""))

    @cached_property
    def turn(self) -> Json:
        """The turn that is asked about: the last message of the user that is one, as Keepsake writes it, or any."""
        said = [str(one.get("content") or "") for one in self.body.get("messages", ()) if one.get("role") == "user"]
        turns = (_as_turn(text) for text in reversed(said))
        return next((turn for turn in turns if turn), {"message": said[-1] if said else ""})

    @property
    def said(self) -> str:
        """What the person wrote."""
        return str(self.turn["message"])

    @property
    def heard(self) -> str:
        """What the assistant had said before."""
        return str(self.turn.get("assistant_before") or "")

    def found(self) -> list[Memory]:
        """What a good model would find."""
        return find(self.said, self.turn.get("known") or ())

    def answers(self, content: str | None, *, hold: Hold | None = None, **more: Any) -> Response:
        """A completion with this content; as a stream, which may be held, if that is what was asked for."""
        answer = completion(self.body, content, **more)
        if not self.body.get("stream"):
            return JSONResponse(answer)
        return StreamingResponse(held_events(answer, hold), media_type="text/event-stream")

    def answers_with(self, memories: Sequence[Any], **more: Any) -> Response:
        """A completion with these memories, as JSON."""
        return self.answers(json.dumps({"memories": list(memories)}), **more)

    def answers_well(self) -> Response:
        """What a good model would answer."""
        return self.answers_with(self.found())


Fault = Callable[[Asked], Awaitable[Response]]
"""One way to answer badly."""


def _as_turn(text: str) -> Json | None:
    try:
        read = json.loads(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) and isinstance(read.get("message"), str) else None
