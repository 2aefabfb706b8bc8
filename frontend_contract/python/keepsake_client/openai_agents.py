"""Memory for a run of the OpenAI Agents SDK: by its hooks, and by the filter of what its models are given."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self
from uuid import UUID, uuid4

from agents import RunConfig, RunHooks, TResponseInputItem
from agents.run import CallModelData, ModelInputData

from keepsake_client.functions import Body
from keepsake_client.turns import PersonMessage, TurnMemory


class RememberedRun(RunHooks[Any]):
    """One run of an agent, whose input ends with the message of a person; an asynchronous context manager.

    Give it to ``Runner.run`` as ``hooks``, with ``run_config=run.config``. The calls of a run, tools and handoffs
    included, share one context. Where a run fails or is canceled, the person's message is sent without an answer.
    With ``user_id`` the message is saved; ``message_id`` names one that the host has saved. Raises ValueError where
    neither is there, and RuntimeError where it is used for a second message.
    """

    def __init__(
        self, memory: TurnMemory, conversation_id: UUID, *, user_id: UUID | None = None, message_id: UUID | None = None
    ) -> None:
        if user_id is None and message_id is None:
            raise ValueError("A run needs user_id, to save the message, or the message_id of a saved one.")
        self._memory = memory
        self._conversation_id = conversation_id
        self._user_id = None if message_id else user_id
        self._message_id = message_id or uuid4()
        self._message: PersonMessage | None = None
        self._injection: Body | None = None
        self._is_finished = False

    @property
    def config(self) -> RunConfig:
        """A configuration with the filter alone; a host with its own one sets ``add_context`` there."""
        return RunConfig(call_model_input_filter=self.add_context)

    async def add_context(self, data: CallModelData[Any]) -> ModelInputData:
        """Return what a model is given, with the memories after the agent's instructions."""
        prompt = data.model_data
        text = _last_text(prompt.input)
        if self._message is not None and (self._is_finished or self._message.text != text):
            raise RuntimeError("A RememberedRun is for one run of an agent: create one for each message of a person.")
        if self._message is None:
            self._message = PersonMessage(self._conversation_id, text, self._user_id, self._message_id)
            self._injection = await self._memory.recall(self._message)
        context: str | None = self._injection["context"] if self._injection else None
        instructions = "\n\n".join(filter(None, [prompt.instructions, context]))
        return ModelInputData(input=prompt.input, instructions=instructions or None)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:  # noqa: ARG002 (the names of the SDK)
        """Tell Keepsake the answer."""
        self._finish(str(output))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finish(None)

    def _finish(self, answer: str | None) -> None:
        if self._message is not None and not self._is_finished:
            self._is_finished = True
            self._memory.remember(self._message, answer, self._injection)


def _last_text(items: list[TResponseInputItem]) -> str:
    """What the person wrote last; their messages are texts or lists of parts."""
    for item in reversed(items):
        if item.get("role") == "user":
            content: Any = item.get("content")
            parts = [{"text": content}] if isinstance(content, str) else content
            return "\n".join(part["text"] for part in parts if part.get("text"))
    return ""
