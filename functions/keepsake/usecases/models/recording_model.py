"""Records what is sent to a language model and what it replies, for one explanation or trial and not beyond it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from keepsake.infra.models.chat_reply_parser import Answer, Reply

if TYPE_CHECKING:
    from keepsake.infra.models.chat import LanguageModel, PromptBuilder


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one request, and the text of its reply; None where there was none."""

    sent: Sequence[Mapping[str, str]]
    reply: str | None
    is_truncated: bool = False


class RecordingModel:
    """A language model that keeps every exchange."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.exchanges: list[Exchange] = []

    @property
    def endpoint(self) -> str:
        """The endpoint of the model."""
        return self._model.endpoint

    async def probe(self, model: str, *, deadline: float) -> None:
        """Ask the short fixed question."""
        await self._model.probe(model, deadline=deadline)

    async def ask(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any], *, deadline: float) -> Reply:
        """Ask the model, and keep what was sent last and what came."""
        sent: Sequence[Mapping[str, str]] = ()

        def build(*, schema_in_prompt: bool) -> Sequence[Mapping[str, str]]:
            nonlocal sent
            sent = messages(schema_in_prompt=schema_in_prompt)
            return sent

        reply: Reply | None = None
        try:
            reply = await self._model.ask(model, build, schema, deadline=deadline)
        finally:
            is_truncated = isinstance(reply, Answer) and reply.is_truncated
            self.exchanges.append(Exchange(sent, _text_of(reply), is_truncated))
        return reply


def _text_of(reply: Reply | None) -> str | None:
    if isinstance(reply, Answer):
        return reply.text or reply.tool_call
    return None if reply is None else reply.reason
