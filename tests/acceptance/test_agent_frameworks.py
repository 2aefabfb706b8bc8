"""Agents of the OpenAI Agents SDK and of LangGraph on the whole stack, with a model that answers as the tests say."""

from __future__ import annotations

import ast
import re
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import httpx2
import pytest
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langgraph.graph.state import CompiledStateGraph
from openai import APIError, AsyncOpenAI

from keepsake_client import KeepsakeClient, PersonMessage, TurnMemory
from keepsake_client.langgraph import MemoryState, with_context
from keepsake_client.openai_agents import RememberedRun
from tests.acceptance.backend import Backend
from tests.acceptance.talk import ANSWER, QUESTION, TOOL_CALL, Talk
from tests.architecture.source import ROOT
from tests.fixtures.model import API_KEY
from tests.fixtures.people import People
from tests.fixtures.tokens import SECRET_KEY
from tests.model_server.running import ModelServer

PATIENCE = 60.0  # seconds; on a busy machine the default is too short
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


@pytest.fixture
def talk(backend: Backend, people: People) -> Talk:
    """A conversation of Ada, in which something is remembered."""
    ada = people.person("Ada")
    chat = people.conversation(ada)
    backend.says(ada, chat, "My favorite food is ramen.")
    return Talk(backend, ada, chat)


@pytest.fixture
async def keepsake(backend: Backend) -> Any:
    async with KeepsakeClient(backend.url, SECRET_KEY) as client:
        yield client


@pytest.fixture
async def agent(model: ModelServer) -> Any:
    """An agent of the OpenAI Agents SDK with one tool."""

    @function_tool
    def find_recipe(dish: str) -> str:
        """Find a recipe."""
        return f"Recipe for {dish}: boil it."

    set_tracing_disabled(True)
    async with AsyncOpenAI(base_url=model.url, api_key=API_KEY, max_retries=0) as client:
        chat_model = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
        yield Agent(name="Cook", instructions="You help in the kitchen.", model=chat_model, tools=[find_recipe])


def _block(name: str) -> Any:
    found = re.search(rf"<!-- python: {name} -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return compile(found[1], "docs/agents.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


async def _run_block(name: str, names: dict[str, Any]) -> None:
    running = eval(_block(name), names)  # noqa: S307 (our own)
    if running is not None:
        await running


@pytest.fixture
async def chat_model(model: ModelServer) -> Any:
    """The scripted model for LangGraph, with connections of its own: those it shares by default outlive a test."""
    async with httpx2.AsyncClient() as client:
        shared: Any = {"api_key": API_KEY, "http_async_client": client}
        yield ChatOpenAI(base_url=model.url, model="scripted", max_retries=0, **shared)


def _graph(chat_model: ChatOpenAI, memory: TurnMemory) -> CompiledStateGraph[Any, Any, Any, Any]:
    def find_recipe(dish: str) -> str:
        """Find a recipe."""
        return f"Recipe for {dish}: boil it."

    names: dict[str, Any] = {}
    exec(_block("langgraph"), names)  # noqa: S102 (our own)
    graph: CompiledStateGraph[Any, Any, Any, Any] = names["build_graph"](chat_model, [find_recipe], memory)
    return graph


def _state(text: str) -> MemoryState:
    return {"messages": [HumanMessage(text)]}


def _systems(model: ModelServer) -> list[str]:
    """The system messages of each call of the model, joined."""
    return [
        "\n".join(str(message["content"]) for message in body["messages"] if message["role"] == "system")
        for body in model.script.chats
    ]


async def test_openai_agents__refuse_a_run_for_a_second_message(
    keepsake: KeepsakeClient, talk: Talk, agent: Agent[None]
) -> None:
    async with (
        TurnMemory(keepsake, deadline=PATIENCE) as memory,
        RememberedRun(memory, talk.id, user_id=talk.person.user_id) as run,
    ):
        await Runner.run(agent, QUESTION, hooks=run, run_config=run.config)
        for text in ("I am Ben and I love trains.", QUESTION):
            with pytest.raises(RuntimeError, match="one for each message"):
                await Runner.run(agent, text, hooks=run, run_config=run.config)


async def test_openai_agents__the_page_shows_a_run_with_memory(
    talk: Talk, agent: Agent[None], model: ModelServer
) -> None:
    """The calls before and after the tool have the same context, beside the agent's own instructions."""
    model.script.then(TOOL_CALL, ANSWER)
    names: dict[str, Any] = {"API_URL": talk.backend.url, "SECRET_KEY": SECRET_KEY, "agent": agent}
    await _run_block(
        "openai agents", names | {"conversation_id": talk.id, "user_id": talk.person.user_id, "text": QUESTION}
    )
    before, after = _systems(model)
    assert before == after
    assert before.startswith("You help in the kitchen.")
    assert "ramen" in before
    assert "boil it" in str(model.script.chats[-1]["messages"][-1]["content"])
    talk.check_turn()


async def test_langgraph__the_page_shows_a_graph_with_memory(
    talk: Talk, keepsake: KeepsakeClient, chat_model: ChatOpenAI, model: ModelServer
) -> None:
    model.script.then(TOOL_CALL, ANSWER)
    named: RunnableConfig = {"configurable": {"conversation_id": talk.id, "user_id": talk.person.user_id}}
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        state = await _graph(chat_model, memory).ainvoke(_state(QUESTION), named)
    before, after = _systems(model)
    assert before == after
    assert "ramen" in before
    assert not [message for message in state["messages"] if isinstance(message, SystemMessage)]
    talk.check_turn()


async def test_openai_agents__a_streamed_run_has_memory(
    talk: Talk, keepsake: KeepsakeClient, agent: Agent[None], model: ModelServer
) -> None:
    model.script.then(TOOL_CALL, ANSWER)
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        run = RememberedRun(memory, talk.id, user_id=talk.person.user_id)
        result = Runner.run_streamed(agent, QUESTION, hooks=run, run_config=run.config)
        raw = [event.data async for event in result.stream_events() if event.type == "raw_response_event"]
    assert "".join(data.delta for data in raw if data.type == "response.output_text.delta") == ANSWER["content"]
    assert all("ramen" in text for text in _systems(model))
    talk.check_turn()


async def test_langgraph__a_streamed_answer_has_memory(
    talk: Talk, keepsake: KeepsakeClient, chat_model: ChatOpenAI, model: ModelServer
) -> None:
    model.script.then(TOOL_CALL, ANSWER)
    named: RunnableConfig = {"configurable": {"conversation_id": talk.id, "user_id": talk.person.user_id}}
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        stream: Any = _graph(chat_model, memory).astream(_state(QUESTION), named, stream_mode="messages")
        pieces = [piece.text async for piece, about in stream if about["langgraph_node"] == "model"]
    assert len(pieces) > 2
    assert "".join(pieces) == ANSWER["content"]
    talk.check_turn()


async def test_openai_agents__the_message_of_a_failed_run_is_remembered(
    talk: Talk, keepsake: KeepsakeClient, agent: Agent[None], model: ModelServer
) -> None:
    """A failure of the model reaches the host as it is."""
    model.script.always("busy")
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        with pytest.raises(APIError):
            async with RememberedRun(memory, talk.id, user_id=talk.person.user_id) as run:
                await Runner.run(agent, QUESTION, hooks=run, run_config=run.config)
    talk.backend.run_jobs()
    assert "Sister is named Ida" in talk.backend.texts(talk.person)
    assert {message["role"] for message in talk.messages()} == {"user"}


async def test_openai_agents__a_host_saves_its_messages_itself(
    talk: Talk, keepsake: KeepsakeClient, agent: Agent[None], model: ModelServer
) -> None:
    """The message is the last one of a longer input, in parts."""
    model.script.then(ANSWER)

    async def save_answer(message: PersonMessage, answer: str) -> UUID:
        assert message.text == QUESTION
        return talk.backend.save(None, message.conversation_id, answer)

    async with TurnMemory(keepsake, deadline=PATIENCE, save_answer=save_answer) as memory:
        run = RememberedRun(memory, talk.id, message_id=talk.backend.save(talk.person, talk.id, QUESTION))
        last: Any = {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}
        spoken: list[Any] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}, last]
        await Runner.run(agent, spoken, hooks=run, run_config=run.config)
    talk.check_turn()


async def test_langgraph__a_host_saves_its_messages_itself(
    talk: Talk, keepsake: KeepsakeClient, chat_model: ChatOpenAI, model: ModelServer
) -> None:
    model.script.then(ANSWER)
    question = HumanMessage(QUESTION, id=str(talk.backend.save(talk.person, talk.id, QUESTION)))
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        named: RunnableConfig = {"configurable": {"conversation_id": talk.id}}
        await _graph(chat_model, memory).ainvoke({"messages": [question]}, named)
    assert "ramen" in _systems(model)[0]
    talk.check_turn()


Answering = Callable[[TurnMemory], Awaitable[str]]


@pytest.fixture(params=["openai agents", "langgraph"])
def answer(request: pytest.FixtureRequest, agent: Agent[None], chat_model: ChatOpenAI) -> Answering:
    """What an agent answers to the question in a conversation that nobody knows, in each of the frameworks."""

    async def run_agent(memory: TurnMemory) -> str:
        async with RememberedRun(memory, uuid4(), user_id=uuid4()) as run:
            result = await Runner.run(agent, QUESTION, hooks=run, run_config=run.config)
        return str(result.final_output)

    async def run_graph(memory: TurnMemory) -> str:
        named: RunnableConfig = {"configurable": {"conversation_id": uuid4(), "user_id": uuid4()}}
        state = await _graph(chat_model, memory).ainvoke(_state(QUESTION), named)
        return str(state["messages"][-1].content)

    return run_graph if request.param == "langgraph" else run_agent


@pytest.mark.parametrize("away", ["refusing", "silent"])
async def test_agent__answers_while_keepsake_is_away(
    away: str, silent_url: str, answer: Answering, model: ModelServer
) -> None:
    """Without memory, and the host is told at which step it failed, before the answer and after it."""
    model.script.then(TOOL_CALL, ANSWER)
    reported: list[tuple[Exception, str]] = []
    url, deadline = (silent_url, 0.05) if away == "silent" else ("http://127.0.0.1:1", 60)
    async with (
        KeepsakeClient(url, SECRET_KEY, timeout=deadline) as keepsake,
        TurnMemory(keepsake, deadline=deadline, on_error=lambda *failure: reported.append(failure)) as memory,
    ):
        assert await answer(memory) == ANSWER["content"]
    assert len(_systems(model)) == 2
    assert not any("memory" in text for text in _systems(model))
    assert [stage for _, stage in reported] == ["save_message", "save_message"]
    assert isinstance(reported[0][0], TimeoutError if away == "silent" else httpx.ConnectError)


async def test_agent__answers_where_keepsake_refuses_and_the_report_fails(
    keepsake: KeepsakeClient, answer: Answering, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    model.script.then(TOOL_CALL, ANSWER)

    def fail(error: Exception, stage: str) -> None:
        raise error

    async with TurnMemory(keepsake, on_error=fail) as memory:
        assert await answer(memory) == ANSWER["content"]
    assert {record.message for record in caplog.records} == {"on_error itself failed during save_message"}


async def test_turn_memory__warns_by_default(keepsake: KeepsakeClient, caplog: pytest.LogCaptureFixture) -> None:
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        assert await memory.recall(PersonMessage(uuid4(), "Hi", None)) is None
    (record,) = caplog.records
    assert "inject_memory: KeepsakeRefusal" in record.message


def test_run__needs_to_know_whose_message_it_is(keepsake: KeepsakeClient) -> None:
    with pytest.raises(ValueError, match="user_id"):
        RememberedRun(TurnMemory(keepsake), uuid4())


async def test_langgraph__ids_that_are_no_uuid_become_one(
    talk: Talk, keepsake: KeepsakeClient, chat_model: ChatOpenAI, model: ModelServer
) -> None:
    model.script.then(ANSWER)
    async with TurnMemory(keepsake, deadline=PATIENCE) as memory:
        named: RunnableConfig = {"configurable": {"conversation_id": talk.id, "user_id": talk.person.user_id}}
        await _graph(chat_model, memory).ainvoke({"messages": [HumanMessage(QUESTION, id="message-1")]}, named)
    talk.check_turn()


def test_langgraph__without_memories_the_messages_stay_as_they_are() -> None:
    state = _state(QUESTION)
    assert with_context(state) == state["messages"]
    assert with_context({**state, "injection": None}) == state["messages"]
