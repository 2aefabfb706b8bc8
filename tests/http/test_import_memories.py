"""``import-memories`` over HTTP: a file of up to 64 MiB, answered with a report."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
import uvicorn

from keepsake.endpoints._declaration import DECLARATIONS
from keepsake.local.gateway.api_keys import ApiKeys
from keepsake.local.gateway.app import create_gateway
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions, as_person, deployed
from tests.rest.gateway import KEYS

IMPORT = "import-memories"
ROWS = [{"memory_text": "Likes ramen"}, {"memory_text": "x" * 501}]


async def test_a_list__is_imported_and_every_row_accounted_for(functions: Functions, scene: Scene) -> None:
    answer = await functions.call(IMPORT, ROWS, headers=as_person(scene.ada))
    report = answer.json()
    assert answer.status_code == 200
    assert report.pop("operation_id")
    assert report == {
        "status": "imported", "profile_id": str(scene.ada.profile_id), "rows": 2, "imported": 1, "restored": 0,
        "archived": 0, "unchanged": 0, "refused": 1, "also_restored": {}, "notes": [], "screened_by": "words",
        "history": {}, "forgotten": 0,
        "problems": [{"row": 2, "line": 1, "field": "memory_text", "reason": "too_long"}],
    }  # fmt: skip
    atomic = await functions.send(
        "POST", f"{IMPORT}", f"/functions/v1/{IMPORT}?atomic=true", headers=as_person(scene.ada), json=ROWS
    )
    assert (atomic.status_code, atomic.json()["status"]) == (422, "refused")


FOREIGN: dict[str, tuple[bytes, str]] = {
    "zip": (b"PK\x03\x04\x14\x00\x00\x00", "ZIP archive"),
    "gzip": (gzip.compress(b"[]"), "gzip"),
    "pdf": (b"%PDF-1.7\n", "PDF"),
    "utf-16": ("[]".encode("utf-16"), "UTF-16"),
    "mem0": (b'{"results": [{"id": "1", "memory": "Lives in Oslo", "user_id": "u"}]}', "mem0"),
    "mem0, a list": (b'[{"id": "1", "memory": "Lives in Oslo", "hash": "x", "user_id": "u"}]', "mem0"),
    "ChatGPT": (b'[{"title": "A", "create_time": 1.5, "mapping": {"a": {}}}]', "ChatGPT"),
    "ChatGPT, one large chat": (b'[{"title": "A", "mapping": {"a": "' + b"x" * 300_000 + b'"}}]', "ChatGPT"),
    "Claude": (b'[{"uuid": "1", "name": "A", "chat_messages": []}]', "Claude"),
    "MCP memory": (b'{"type":"entity","name":"A","entityType":"person","observations":["x"]}', "MCP"),
    "chat": (b'{"messages": [{"role": "user", "content": "I live in Oslo."}]}', "chat"),
    "unknown": (b'{"items": [{"note": "Lives in Oslo"}], "version": 3}', "no memories in it"),
}


@pytest.mark.parametrize("of", FOREIGN)
async def test_a_file_of_another_product__is_named_as_what_it_is(functions: Functions, scene: Scene, of: str) -> None:
    content, name = FOREIGN[of]
    headers = {**as_person(scene.ada), "content-type": "application/octet-stream"}
    answer = await functions.send("POST", IMPORT, headers=headers, content=content)
    assert answer.status_code == 400
    assert name in answer.json()["details"]


@pytest.mark.parametrize("yes, no", [("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERDADERO", "FALSO"), ("yes", "No")])
async def test_a_spreadsheet__may_say_true_in_the_language_of_its_user(
    functions: Functions, scene: Scene, yes: str, no: str
) -> None:
    content = f"memory_text;pinned\nLikes ramen;{yes}\nLikes chess;{no}\n".encode()
    headers = {**as_person(scene.ada), "content-type": "text/csv"}
    answer = await functions.send("POST", IMPORT, headers=headers, content=content)
    assert (answer.json()["imported"], answer.json()["problems"]) == (2, [])
    pinned = scene.db.all("select memory_text from public.user_memory where pinned")
    assert [row["memory_text"] for row in pinned] == ["Likes ramen"]


@pytest.mark.parametrize(
    "media, content",
    [
        ("application/json", b'{"memories": [{"memory_text": "Likes ramen"}]}'),
        ("application/x-ndjson", b'{"memory_text": "Likes ramen"}\n'),
        ("text/csv; charset=utf-8", b"{memory_text},memory_text\n,Likes ramen\n"),
        ("application/octet-stream", b"memory_text\nLikes ramen\n"),
    ],
)
async def test_a_file__is_read_as_what_it_is_called_or_looks_like(
    functions: Functions, scene: Scene, media: str, content: bytes
) -> None:
    headers = {**as_person(scene.ada), "content-type": media}
    answer = await functions.send("POST", IMPORT, headers=headers, content=content)
    assert (answer.status_code, answer.json()["imported"]) == (200, 1)


async def test_what_cannot_be_taken__is_refused_plainly(functions: Functions, scene: Scene) -> None:
    """Compressed, cut off, asked for wrongly, too large with and without a length; nobody's file is taken unasked."""
    ada, path = as_person(scene.ada), f"/functions/v1/{IMPORT}"
    limited = DECLARATIONS["import-memories"]
    object.__setattr__(limited, "max_upload_bytes", 1000)

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 50

    refusals: list[tuple[dict[str, Any], str, int]] = [
        ({"headers": {**ada, "content-encoding": "gzip"}, "content": gzip.compress(b"[]")}, path, 400),
        ({"headers": ada, "content": b'[{"memory_text": "Likes'}, path, 400),
        ({"headers": ada, "content": b'[{"memory_text": "a\\u0000b"}'}, path, 400),
        ({"headers": ada, "content": b"[]"}, f"{path}?atomic=maybe", 400),
        ({"headers": ada, "content": b"[]"}, f"{path}?user_id={uuid4()}", 400),
        ({"headers": ada, "content": b"[]"}, f"{path}?profile_id={uuid4()}", 404),
        ({"headers": ada, "content": b" " * 1001}, path, 413),
        ({"headers": ada, "content": endless()}, path, 413),
        ({"headers": {}, "content": endless()}, path, 401),
        ({"headers": AS_SERVICE, "content": endless()}, path, 401),
    ]
    try:
        for given, where, status in refusals:
            answer = await functions.send("POST", IMPORT, where, **given)
            assert answer.status_code == status, (where, answer.text)
            assert set(answer.json()) == {"code", "message", "error", "details", "hint"}
    finally:
        object.__setattr__(limited, "max_upload_bytes", 64 * 1024 * 1024)
    assert scene.people.memories(scene.ada) == ["Name is Ada"]


@asynccontextmanager
async def stack() -> AsyncIterator[httpx.AsyncClient]:
    """The local stack's one origin with every function behind it, on a real socket."""
    app = create_gateway(rest_url="http://127.0.0.1:9", keys=ApiKeys(KEYS), functions=deployed())
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/functions/v1"
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=300) as client:
            yield client
        server.should_exit = True
        await serving


async def test_through_the_gateway__an_export_streams_out_and_its_file_streams_back(
    functions: Functions, scene: Scene
) -> None:
    """A file beyond what other functions take, chunk by chunk both ways; erased in between, all is as it was."""
    rows = [{"memory_text": f"Likes number {number} {'and so on ' * 40}"} for number in range(1200)]
    ada = as_person(scene.ada)
    async with stack() as client:
        imported = (await client.post("/import-memories", headers=ada, json=rows)).json()
        assert (imported["imported"], imported["archived"]) == (1200, 201)
        async with client.stream("POST", "/export-memories", headers=ada, json={}) as answer:
            assert answer.headers["transfer-encoding"] == "chunked"
            chunks = [chunk async for chunk in answer.aiter_bytes()]
        content = b"".join(chunks)
        assert len(content) > 1024 * 1024
        assert len(chunks) > 5
        await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))

        async def pieces() -> AsyncIterator[bytes]:
            for start in range(0, len(content), 60_000):
                yield content[start : start + 60_000]

        restored = (await client.post("/import-memories", headers=ada, content=pieces())).json()
        assert (restored["restored"], restored["notes"]) == (1201, [])
        again = (await client.post("/export-memories", headers=ada, json={})).json()
    assert again["memories"] == json.loads(content)["memories"]


@pytest.mark.parametrize(
    "media, content",
    [
        ("application/json", b'[{"memory_text": "Likes ramen", "\\ud800x": 1}]'),
        ("application/json", b'{"memories": [{"memory_text": "Likes ramen"}], "\\ud800": [{"a": 1}]}'),
        ("application/json", b'[{"memory_text": "Likes ramen"}, {"\\ud800": 1, "\\ud800": 2}]'),
        ("text/csv", b"memory_text,entity_refs\nLikes ramen,\nLikes tea,%b\n" % (b"[" * 100_000)),
        ("text/csv", b"memory_text,astrological_context\nLikes ramen,%b\n" % (b"[" * 100_000)),
    ],
)
async def test_names_that_no_answer_can_hold_and_cells_without_a_bottom__are_told_and_the_rest_imported(
    functions: Functions, scene: Scene, media: str, content: bytes
) -> None:
    headers = {**as_person(scene.ada), "content-type": media}
    answer = await functions.send("POST", IMPORT, headers=headers, content=content)
    assert (answer.status_code, scene.told()) == (200, ["Likes ramen"])
    assert answer.json()["notes"] or answer.json()["problems"]


async def test_key_that_an_older_version_split__is_derived_again(functions: Functions, scene: Scene) -> None:
    """Combining marks belong to their word: two sisters had one key."""
    for name, city in (("\u092e\u0940\u0928\u093e", "Delhi"), ("\u092e\u094b\u0928\u093e", "Mumbai")):
        scene.people.memory(
            scene.ada,
            f"{name} lives in {city}",
            memory_type="relationship",
            memory_key=f"relationship|person|sister|\u092e_\u0928|{city.lower()}",
            entity_refs=["person:\u092e_\u0928"],
            entity_label=name,
        )
    own = as_person(scene.ada)
    document = (await functions.call("export-memories", headers=own)).json()
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    report = await functions.call(IMPORT, document, headers=own)
    assert report.json()["restored"] == 3, report.text
    query = "select memory_key, entity_refs from public.user_memory where user_id = %s and source <> 'seeded_profile'"
    rows = scene.db.all(query, (scene.ada.user_id,))
    assert {row["memory_key"] for row in rows} == {
        "relationship|person|sister|\u092e\u0940\u0928\u093e|delhi",
        "relationship|person|sister|\u092e\u094b\u0928\u093e|mumbai",
    }
    refs = [row["entity_refs"] for row in rows]
    assert sorted(refs) == [["person:\u092e\u0940\u0928\u093e"], ["person:\u092e\u094b\u0928\u093e"]]
