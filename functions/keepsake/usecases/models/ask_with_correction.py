"""Asks a language model, and once more with a correction where the reply cannot be used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.infra.metrics import Metrics
from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable, Refusal, Reply
from keepsake.usecases.models.call import Message, ModelCaller

Result = TypeVar("Result")


class Corrections(Protocol):
    """The messages that a prompt has for a second request."""

    def correction_message(self, error: str, /) -> Message:
        """What was wrong with the reply."""

    def shorten_message(self) -> Message:
        """That the reply was too long."""


class UnusableReply(Exception):
    """A reply that cannot be used, and the message that is added to the second request."""

    def __init__(self, correction: Message, why: str) -> None:
        super().__init__(why)
        self.correction, self.why = correction, why


async def ask_with_correction(
    ask: Callable[[Sequence[Message]], Awaitable[Reply]],
    read: Callable[[ReplyText], Awaitable[Result]],
    prompt: Corrections,
    caller: ModelCaller,
) -> Result | Refusal:
    """What is read of the first or the second reply, or the model's refusal; ModelUnavailable where neither is usable.

    ``ask`` takes the messages to add to the prompt; ``read`` raises InvalidReply, or UnusableReply with a message.
    """

    async def attempt(*more: Message) -> Result | Refusal:
        try:
            reply = await ask(more)
        except ModelUnavailable as failure:
            if failure.kind == "bad_reply" and failure.sent:
                caller.mark_unusable()
                raise UnusableReply(prompt.correction_message("it was empty or broken"), failure.why) from failure
            raise
        if not isinstance(reply, Answer):
            return reply
        try:
            return await read(text_of_answer(reply, is_second=bool(more)))
        except InvalidReply as fault:
            caller.mark_unusable()
            correction = prompt.shorten_message() if fault.why == "cut_off" else prompt.correction_message(str(fault))
            raise UnusableReply(correction, fault.why) from fault

    try:
        return await attempt()
    except UnusableReply as first:
        correction = first.correction
    try:
        return await attempt(correction)
    except UnusableReply as second:
        raise ModelUnavailable("bad_reply", second.why) from None


def count_repairs(metrics: Metrics, model: str, repairs: Iterable[str]) -> None:
    """Count what of a reply of this model had to be unwrapped or repaired."""
    for kind in repairs:
        metrics.model_repairs.labels(model, kind).inc()


def text_of_answer(answer: Answer, *, is_second: bool) -> ReplyText:
    """What is read of an answer."""
    return ReplyText(
        answer.text,
        answer.tool_call,
        answer.reasoning,
        is_truncated=answer.is_truncated,
        repairs=frozenset({"parts"}) if answer.has_parts else frozenset(),
        is_second=is_second,
    )
