"""Asks a language model, and once more with a correction where the reply cannot be used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from keepsake.domain.extraction.reply_schema import InvalidReply
from keepsake.infra.metrics import Metrics
from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable, Refusal, Reply
from keepsake.usecases.models.call import Message

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
    read: Callable[[str], Awaitable[Result]],
    prompt: Corrections,
    metrics: Metrics,
) -> Result | Refusal:
    """What is read of the first or the second reply, or the model's refusal; ModelUnavailable where neither is usable.

    ``ask`` takes the messages to add to the prompt; ``read`` raises InvalidReply, or UnusableReply with a message.
    """

    async def attempt(*more: Message) -> Result | Refusal:
        try:
            reply = await ask(more)
        except ModelUnavailable as failure:
            if failure.kind == "bad_reply" and failure.sent:
                raise UnusableReply(prompt.correction_message("it was empty or broken"), failure.why) from failure
            raise
        if not isinstance(reply, Answer):
            return reply
        if reply.is_truncated:
            raise UnusableReply(prompt.shorten_message(), "cut_off")
        try:
            return await read(reply.text)
        except InvalidReply as fault:
            metrics.model_calls.labels("unreadable").inc()
            raise UnusableReply(prompt.correction_message(str(fault)), "unreadable") from fault

    try:
        return await attempt()
    except UnusableReply as first:
        correction = first.correction
    try:
        return await attempt(correction)
    except UnusableReply as second:
        raise ModelUnavailable("bad_reply", second.why) from None
