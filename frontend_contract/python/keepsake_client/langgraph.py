"""Memory for a graph of LangGraph: a node before the model, a node after the answer, and a state between them."""

from __future__ import annotations

from typing import Any, NotRequired
from uuid import UUID, uuid5

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import MessagesState

from keepsake_client.functions import Body
from keepsake_client.turns import PersonMessage, TurnMemory


class MemoryState(MessagesState):
    """The messages of a graph, and the injection of its turn: ``context`` and ``injection_id``."""

    injection: NotRequired[Body | None]


class MemoryNodes:
    """The nodes ``recall`` and ``remember`` of a graph that is invoked asynchronously.

    ``configurable`` names the ``conversation_id``, and the ``user_id`` of who wrote the last human message, which is
    saved by its id. Without ``user_id`` the host has saved it; then its id is that of the saved message.
    """

    def __init__(self, memory: TurnMemory) -> None:
        self._memory = memory

    async def recall(self, state: MemoryState, config: RunnableConfig) -> dict[str, Any]:
        """Read the memories for the last human message into the state."""
        injection = await self._memory.recall(_person_message(state, config))
        return {"injection": injection and {name: injection[name] for name in ("context", "injection_id")}}

    async def remember(self, state: MemoryState, config: RunnableConfig) -> None:
        """Tell Keepsake the last message, if it is an answer, and what it answers."""
        last = state["messages"][-1]
        answer = last.text if isinstance(last, AIMessage) else None
        self._memory.remember(_person_message(state, config), answer, state.get("injection"))


def with_context(state: MemoryState) -> list[AnyMessage]:
    """Return the messages for the model, with the memories as a system message before them."""
    context = (state.get("injection") or {}).get("context")
    return [*([SystemMessage(context)] if context else []), *state["messages"]]


def _person_message(state: MemoryState, config: RunnableConfig) -> PersonMessage:
    named = config["configurable"]
    conversation_id = UUID(str(named["conversation_id"]))
    human = next(message for message in reversed(state["messages"]) if isinstance(message, HumanMessage))
    user_id = UUID(str(named["user_id"])) if named.get("user_id") else None
    return PersonMessage(conversation_id, human.text, user_id, _message_id(human, conversation_id))


def _message_id(human: HumanMessage, conversation_id: UUID) -> UUID:
    """The id of the message: LangGraph's own ones are UUIDs; of any other a UUID is made."""
    try:
        return UUID(human.id)
    except ValueError:
        return uuid5(conversation_id, str(human.id))
