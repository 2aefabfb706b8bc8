"""Faults of the answer as a whole: no choice, no content, cut off, refused, or content that is not what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import Json, with_choices

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


def _message(change: Callable[[str], Json]) -> Fault:
    """A good answer that stands elsewhere in the message."""

    async def fault(asked: Asked) -> Response:
        message = {"role": "assistant", **change(json.dumps({"memories": asked.found()}))}
        return JSONResponse(with_choices(asked.body, [{"index": 0, "message": message, "finish_reason": "stop"}]))

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


WRAPPED: dict[str, Fault] = {
    "prose": _content(lambda whole: f"Sure! Here is what I found:\n{whole}\nAnything {{else}}?"),
    "fence": _content(lambda whole: f"```json\n{whole}\n```"),
    "json_list": _content(lambda whole: json.dumps(json.loads(whole)["memories"])),
    "one_memory_bare": _content(lambda whole: json.dumps({"memories": json.loads(whole)["memories"][0]})),
    "not_a_number": _content(lambda whole: whole.replace("0.8", "NaN")),
    "thinking": _content(lambda whole: f'<think>Perhaps {{"memories": []}}?</think>\n\n{whole}'),
    "empty_thoughts": _content(lambda whole: f"<think>\n\n</think>\n\n{whole}"),
    "closing_tag": _content(lambda whole: f"They like it, so one.\n</think>\n{whole}"),
    "channels": _content(
        lambda whole: (
            f"<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>final<|message|>{whole}<|return|>"
        )
    ),
    "encoded": _content(json.dumps),
    "python": _content(lambda whole: repr(json.loads(whole))),
    "commas": _content(lambda whole: f"{whole[:-2]},],}}"),
    "missing_brace": _content(lambda whole: whole[:-1]),
    "byte_order_mark": _content(lambda whole: f"\ufeff{whole}"),
    "length_but_complete": _content(lambda whole: f"{whole}\n\nAs you", finish_reason="length"),
    "parts": _message(lambda whole: {"content": [{"type": "thinking", "text": "?"}, {"type": "text", "text": whole}]}),
    "tool_call": _message(
        lambda whole: {"content": None, "tool_calls": [{"id": "1", "function": {"name": "note", "arguments": whole}}]}
    ),
    "function_call": _message(
        lambda whole: {"content": "I note it.", "function_call": {"name": "note", "arguments": json.loads(whole)}}
    ),
    "reasoning_field": _message(lambda whole: {"content": None, "reasoning_content": whole}),
}
"""Good answers in the wrappings that models and servers put around them."""

FAULTS: dict[str, Fault] = {
    **WRAPPED,
    "only_thoughts": _message(lambda _: {"content": "", "reasoning": "I think of ramen, sk-scripted."}),
    "thoughts_without_end": _content(lambda whole: f"<think>I think of ramen. Or {whole} or so"),
    "two_answers": _content(lambda whole: f'{{"memories": []}} Wait, no: {whole}'),
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
    "json_null": _content(lambda _: "null"),
    "json_too_deep": _content(lambda _: "[" * _DEPTH + "]" * _DEPTH),
    "long_number": _content(lambda whole: whole.replace("0.8", "9" * 5000)),
    "two_lists": _content(lambda whole: whole[:-1] + ', "memories": []}'),
    "body_too_deep": body_too_deep,
    "missing_members": missing_members,
    "wrong_types": _members(text=7, quote=None, confidence="high", many="no"),
    "memories_of_text": _content(lambda _: json.dumps({"memories": ["Likes ramen"]})),
}
