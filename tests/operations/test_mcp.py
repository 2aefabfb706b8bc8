"""``keepsake mcp`` answers the protocol's own client: for one person over standard input, and for each by token."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from keepsake.endpoints.mcp import http_app
from keepsake.errors import NotFound
from keepsake.infra.readers import Readers
from keepsake.infra.resources import READING
from keepsake.local.servers.processes import free_port
from keepsake.operations.local_users import find_user
from tests.architecture.source import ROOT
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY, person_token

ACCEPTED = "application/json, text/event-stream"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}},
}
PAGE = ROOT / "docs" / "agents.md"
COMMAND = [sys.executable, "-m", "keepsake.cli", "mcp"]


def environment(db: Clone) -> dict[str, str]:
    """What an operator sets."""
    return {"DATABASE_URL": db.api_url, "SUPABASE_JWT_SECRET": JWT_SECRET, "SUPABASE_SECRET_KEY": SECRET_KEY}


@asynccontextmanager
async def by_stdio(scene: Scene) -> AsyncIterator[Client]:
    """An agent that starts the server itself, for Ada in her chat."""
    arguments = [*COMMAND[1:], "--user", str(scene.ada.user_id), "--conversation", str(scene.chat)]
    server = StdioServerParameters(command=COMMAND[0], args=arguments, env=environment(scene.db))
    async with Client(stdio_client(server)) as client:
        yield client


async def call_tool(client: Client, **arguments: Any) -> Mapping[str, Any]:
    """Call the tool; what it answers."""
    result = await client.call_tool("manage_user_memory", arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    answer: Mapping[str, Any] | None = result.structured_content
    assert answer is not None
    return answer


async def test_over_stdio__the_tool_is_offered_and_remembers(scene: Scene) -> None:
    async with by_stdio(scene) as client:
        (tool,) = (await client.list_tools()).tools
        assert (tool.name, tool.input_schema["required"]) == ("manage_user_memory", ["operation"])
        assert "command" in tool.input_schema["properties"]["operation"]["enum"]
        added = await call_tool(client, operation="add_fact", content="User prefers morning workouts")
        assert added["message"] == "Remembered: Prefers morning workouts (M-2)."
        assert (await call_tool(client, operation="add_fact", content="User prefers morning workouts"))[
            "reason"
        ] == "known"
        document = (await call_tool(client, operation="get_memory"))["document"]
        assert [fact["content"] for fact in document["facts"]] == ["Name is Ada", "Prefers morning workouts"]
        ordered = await call_tool(
            client, operation="command", content="Forget that"
        )  # no saved message of hers says it
        assert (ordered["status"], ordered["reason"]) == ("refused", "needs_message")
        for wrong, said in (
            ({"operation": "add_fact"}, "content"),
            ({"operation": "deactivate_fact", "fact_id": "twelve"}, "fact_id"),
            ({"operation": "fly"}, "operation"),
            ({"operation": "get_memory", "user_id": "somebody-else"}, "user_id"),
        ):
            refused = await client.call_tool("manage_user_memory", wrong)
            assert isinstance(refused, CallToolResult)
            assert refused.is_error
            assert isinstance(refused.content[0], TextContent)
            assert said in refused.content[0].text


@pytest.mark.parametrize("name, servers", [("mcp servers", "mcpServers"), ("mcp servers of vs code", "servers")])
async def test_the_configuration__that_the_page_prints_starts_the_server(
    db: Clone, people: People, name: str, servers: str
) -> None:
    """With the paths of this machine, and the settings of a project elsewhere, as the page says."""
    block = re.search(rf"<!-- json: {name} -->\n```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    config = json.loads(block[1])[servers]["keepsake"]
    arguments = [str(people.person("Ada").user_id) if each == "ada@example.com" else each for each in config["args"]]
    command = Path(sys.executable).parent / Path(config["command"]).name
    without_data = arguments[: arguments.index("--data")]
    server = StdioServerParameters(command=str(command), args=without_data, env=environment(db), cwd="/")
    async with Client(stdio_client(server)) as client:
        assert (await call_tool(client, operation="get_memory"))["status"] == "done"


async def test_arguments__are_read_as_clients_send_them(db: Clone, people: People) -> None:
    """Empty strings for what is not used, "false" for false, and a JSON text for the object."""
    ada = people.person("Ada")
    empty = dict.fromkeys(("fact_id", "subject", "place_id", "place_name", "notes"), "")
    said = [{"content": "Likes maps", **empty}, {"content": "Prefers tea", "only_this_persona": "false"}]
    calls: list[Any] = [{"operation": "add_fact", **each} for each in said]
    calls += [json.dumps({"operation": "add_fact", "content": "Collects stamps"})]
    wrong = {"operation": "add_fact", "content": "Likes cats", "only_this_persona": "perhaps"}
    headers = {"authorization": f"Bearer {person_token(ada.user_id)}", "accept": ACCEPTED}
    async with served(db) as url, httpx2.AsyncClient(headers=headers, timeout=60) as client:
        for arguments in [*calls, wrong]:
            params = {"name": "manage_user_memory", "arguments": arguments}
            body = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
            result = (await client.post(url, json=body)).json()["result"]
            assert result.get("isError", False) is (arguments is wrong), result
            assert arguments is not wrong or "only_this_persona" in result["content"][0]["text"]
    assert people.memories(ada) == ["Name is Ada", "Likes maps", "Prefers tea", "Collects stamps"]


def test_an_address_that_nobody_has__is_told_how_to_sign_up(db: Clone) -> None:
    with pytest.raises(NotFound) as refused:
        find_user(db.owner_url, "grace@example.com", create=False)
    assert refused.value.hint is not None
    assert "keepsake token --user grace@example.com" in refused.value.hint


@asynccontextmanager
async def served(db: Clone, *options: str) -> AsyncIterator[str]:
    """The server on a port of its own."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "--http",
        str(port),
        *options,
        env={**os.environ, **environment(db)},
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with httpx2.AsyncClient(timeout=60) as client:
            for _ in range(600):
                try:
                    await client.get(f"http://127.0.0.1:{port}/mcp")
                    break
                except httpx2.ConnectError:
                    await asyncio.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        await process.wait()


async def test_who_serves__loads_the_language_before_the_first_call(scene: Scene) -> None:
    readers = Readers(deadline=30, max_processes=1, modules=READING)
    resources = replace(scene.resources, readers=readers)
    http_app(resources, url="http://127.0.0.1:8808/mcp")
    assert not readers.begin(), "it begins with the first call only"
    await resources.prepare_reading()
    readers.close()


async def test_over_http__each_by_their_own_token_and_nobody_without(db: Clone, people: People) -> None:
    ada, eve = people.person("Ada"), people.person("Eve")
    async with served(db) as url:
        for person, added in ((ada, "User likes tea"), (eve, "User likes coffee")):
            headers = {"authorization": f"Bearer {person_token(person.user_id)}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                (tool,) = (await client.list_tools()).tools
                assert "command" not in str(tool.input_schema)  # it needs a conversation that it was said in
                assert (await call_tool(client, operation="add_fact", content=added))["status"] == "done"
        async with httpx2.AsyncClient(timeout=60) as http:
            for headers in ({}, {"authorization": "Bearer nonsense"}, {"authorization": f"Bearer {SECRET_KEY}"}):
                refused = await http.post(url, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
                assert refused.status_code == 401
    assert people.memories(ada) == ["Name is Ada", "Likes tea"]
    assert people.memories(eve) == ["Name is Eve", "Likes coffee"]


async def test_over_http__a_client_that_listens_keeps_the_server_from_no_stop(db: Clone, people: People) -> None:
    """Leaving the block waits for the end of the process."""
    token = person_token(people.person("Ada").user_id)
    headers = {"authorization": f"Bearer {token}", "accept": ACCEPTED, "mcp-protocol-version": "2025-06-18"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        AsyncExitStack() as streams,
        served(db) as url,
    ):
        stream = await streams.enter_async_context(http.stream("GET", url))
        assert stream.status_code == httpx2.codes.OK


async def test_behind_a_proxy__it_answers_to_its_address_and_to_no_other(db: Clone, people: People) -> None:
    """What names another host is refused: a website could point its name at this machine."""
    headers = {"authorization": f"Bearer {person_token(people.person('Ada').user_id)}", "accept": ACCEPTED}
    async with served(db, "--url", "https://mcp.example.com/mcp") as url, httpx2.AsyncClient(timeout=60) as http:
        found = {}
        for host in ("mcp.example.com", "evil.example.com"):
            answer = await http.post(url, headers=headers | {"host": host}, json=INITIALIZE)
            found[host] = answer.status_code
        described = await http.get(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"))
    assert found == {"mcp.example.com": 200, "evil.example.com": 421}
    assert described.json()["resource"] == "https://mcp.example.com/mcp"


def test_taken_port__is_said_in_a_line(db: Clone) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "--http", str(port)],
            env={**os.environ, **environment(db)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"keepsake: Port {port} is taken")
    assert "Traceback" not in done.stderr


OWN: tuple[dict[str, Any], ...] = (
    {"source": "rule_extraction", "pinned": True, "confidence_score": 1.0},
    {"source": "agent_tool", "confidence_score": 1.0},
    {"source": "agent_tool", "pinned": True},
    {"source": "rule_extraction"},
    {"source": "seeded_profile"},
)
"""What the person may have done about a memory: pinned, confirmed, said."""


async def test_over_http__an_agent_with_the_persons_token_changes_nothing_of_theirs(db: Clone, people: People) -> None:
    ada = people.person("Ada")
    key = {"memory_key": "fact|person|self|favorite_food", "value": "ramen"}
    headers = {"authorization": f"Bearer {person_token(ada.user_id)}"}
    async with (
        served(db) as url,
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        for standing in OWN:
            memory = people.memory(ada, "Favorite food is ramen", **key, **standing)
            before = db.value("select to_jsonb(m) from public.user_memory as m where id = %s", (memory,))
            for arguments, status in (
                ({"operation": "add_fact", "content": "My favourite food is poison."}, "refused"),
                ({"operation": "add_fact", "content": "User's favorite food is poison"}, "refused"),
                ({"operation": "remember", "content": "My favourite food is poison."}, "refused"),
                ({"operation": "deactivate_fact", "fact_id": str(memory)}, "pending"),
                ({"operation": "forget", "fact_id": str(memory)}, "pending"),
                ({"operation": "forget", "subject": "ramen"}, "pending"),
            ):
                assert (await call_tool(client, **arguments))["status"] == status, arguments
            assert db.value("select to_jsonb(m) from public.user_memory as m where id = %s", (memory,)) == before
            db.run("delete from public.user_memory where id = %s", (memory,))
        added = await call_tool(client, operation="remember", content="I was born on Mars")
    row = db.one("select source, confidence_score from public.user_memory where id = %s", (added["fact_id"],))
    actor = db.value("select actor from keepsake.changes where operation_id = %s", (added["operation_id"],))
    assert (row["source"], row["confidence_score"] <= 0.8, actor) == ("agent_tool", True, "agent")


async def test_who_is_meant__is_said_by_id(db: Clone) -> None:
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "--user",
        "ada@example.com",
        env={**os.environ, **environment(db)},
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.decode().startswith("keepsake: ")
