"""Faults of the answer as a whole: no choice, no content, cut off, refused, or content that is not what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import with_choices

_DEPTH = 20_000


def _choices(choices: Any) -> Fault:
    async def fault(asked: Asked) -> Response:
        return JSONResponse(with_choices(asked.body, choices))

    return fault


def _content(change: Callable[[str], str | None], **more: Any) -> Fault:
    """A good answer whose content was changed."""

    async def fault(asked: Asked) -> Response:
        return asked.answers(change(json.dumps({"memories": asked.found()})), **more)

    return fault


def _members(**wrong: Any) -> Fault:
    """A good answer in which members of every memory have a type that the schema does not allow."""

    async def fault(asked: Asked) -> Response:
        return asked.answers_with([{**found, **wrong} for found in asked.found()])

    return fault


async def missing_members(asked: Asked) -> Response:
    """Memories that lack most of what the schema requires."""
    return asked.answers_with([{"text": found["text"]} for found in asked.found()])


async def body_too_deep(asked: Asked) -> Response:
    """A body nested deeper than a parser goes."""
    return Response(b"[" * _DEPTH, media_type="application/json")


FAULTS: dict[str, Fault] = {
    "empty_choices": _choices([]),
    "null_choices": _choices(None),
    "choices_of_text": _choices("none"),
    "choice_without_message": _choices([{"index": 0, "finish_reason": "stop"}]),
    "null_message": _choices([{"index": 0, "message": None, "finish_reason": "stop"}]),
    "content_of_parts": _choices(
        [{"index": 0, "message": {"role": "assistant", "content": [{"type": "text"}]}, "finish_reason": "stop"}]
    ),
    "null_content": _content(lambda _: None),
    "empty_content": _content(lambda _: ""),
    "length": _content(lambda whole: whole[: len(whole) // 2], finish_reason="length"),
    "content_filter": _content(lambda _: None, finish_reason="content_filter"),
    "refusal": _content(lambda _: None, refusal="I'm sorry, I can't help with that."),
    "plain_refusal": _content(lambda _: "I'm sorry, but I can't help with that."),
    "cut_json": _content(lambda whole: whole[: len(whole) // 2]),
    "prose": _content(lambda whole: f"Sure! Here is what I found:\n{whole}\nAnything else?"),
    "fence": _content(lambda whole: f"```json\n{whole}\n```"),
    "json_list": _content(lambda whole: json.dumps(json.loads(whole)["memories"])),
    "json_null": _content(lambda _: "null"),
    "json_too_deep": _content(lambda _: "[" * _DEPTH + "]" * _DEPTH),
    "long_number": _content(lambda whole: whole.replace("0.8", "9" * 5000)),
    "not_a_number": _content(lambda whole: whole.replace("0.8", "NaN")),
    "two_lists": _content(lambda whole: whole[:-1] + ', "memories": []}'),
    "body_too_deep": body_too_deep,
    "missing_members": missing_members,
    "wrong_types": _members(text=7, quote=None, confidence="high", many="no"),
    "memories_of_text": _content(lambda _: json.dumps({"memories": ["Likes ramen"]})),
    "one_memory_bare": _content(lambda whole: json.dumps({"memories": json.loads(whole)["memories"][0]})),
}
