"""The shapes an OpenAI-compatible endpoint answers in: completions, embeddings and errors, as plain values."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

_MAX_HOLD_SECONDS = 60
_CREATED = 1_700_000_000
_CHARACTERS_A_TOKEN = 4


def completion(
    body: Mapping[str, Any],
    content: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    tool_calls: Sequence[Json] = (),
) -> Json:
    """A completion with one choice; a tool call is ``{"name": …, "arguments": {…}}``."""
    message: Json = {"role": "assistant", "content": content, "refusal": refusal}
    if tool_calls:
        finish_reason = "tool_calls"
        message["tool_calls"] = [_tool_call(number, call) for number, call in enumerate(tool_calls)]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
    return with_choices(body, [choice], written=content or refusal or "")


def with_choices(body: Mapping[str, Any], choices: Sequence[Any] | None, *, written: str = "") -> Json:
    """A completion with these choices, none among them."""
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": _CREATED,
        "model": body.get("model", "scripted"),
        "choices": choices,
        "usage": usage(read="".join(texts(body)), written=written),
    }


@dataclass(frozen=True)
class Hold:
    """Where a stream stops until the test lets it go on."""

    after: int
    released: threading.Event


async def held_events(answer: Json, hold: Hold | None) -> AsyncIterator[str]:
    """The same completion as server-sent events, which stop after so many until they are released."""
    for number, event in enumerate(events(answer)):
        if hold and number == hold.after:
            await asyncio.to_thread(hold.released.wait, _MAX_HOLD_SECONDS)
        yield event


def events(answer: Json) -> Iterator[str]:
    """The same completion as server-sent events: word by word, tool calls whole."""
    (choice,) = answer["choices"]
    message: Json = choice["message"]
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in re.findall(r"\S+\s*", message["content"] or "")]
    deltas += [{"tool_calls": [{"index": i, **call}]} for i, call in enumerate(message.get("tool_calls", ()))]
    ends = [None] * len(deltas) + [choice["finish_reason"]]
    for delta, reason in zip([*deltas, {}], ends, strict=True):
        chunk = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        body = {**answer, "object": "chat.completion.chunk", "choices": [chunk], "usage": None}
        yield f"data: {json.dumps(body)}\n\n"
    yield "data: [DONE]\n\n"


def _tool_call(number: int, call: Mapping[str, Any]) -> Json:
    function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
    return {"id": f"call_{number}", "type": "function", "function": function}


def error(message: str, *, kind: str, code: str | None = None, param: str | None = None) -> Json:
    """What stands in the body of a refusal."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def usage(*, read: str, written: str = "") -> Json:
    """The tokens of a call, by a rule anybody can check: four characters each."""
    prompt, answer = -(-len(read) // _CHARACTERS_A_TOKEN), -(-len(written) // _CHARACTERS_A_TOKEN)
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def texts(body: Mapping[str, Any]) -> list[str]:
    """The texts of the messages that were sent, in order."""
    return [str(message.get("content") or "") for message in body.get("messages", ()) if isinstance(message, dict)]
