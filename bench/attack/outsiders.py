"""Attacks of strangers and agents on a whole stack: ids and tokens of others, agents' writes, deletions, slow texts."""

from __future__ import annotations

import asyncio
import time
from itertools import islice
from uuid import uuid4

import jwt

from bench.attack.slow_texts import shots
from bench.attack.stack import Attack

_MAX_WAIT_SECONDS = 20.0
"""How long others may wait for /health while one message is read, on a machine that is busy with other things."""


async def attack_ids_of_others(attack: Attack) -> None:
    """Another person's ids at every function and RPC: nothing is told, and nothing changes."""
    on = attack.on
    ada, eve, word = on.person("Ada"), on.person("Eve"), attack.canary()
    message = await on.say(ada, f"I love {word}.")
    await on.call("extract-user-memory", {"conversation_id": str(ada.conversation_id), "message_id": str(message)})
    memory = on.memories(ada)[0]
    operation = on.sql(
        "select operation_id from keepsake.changes where user_id = %(user)s order by seq desc limit 1",
        {"user": ada.user_id},
    )[0]["operation_id"]
    before = on.memories(ada)
    known = [memory["id"], ada.user_id, ada.profile_id, ada.conversation_id, message, operation, uuid4()]
    ids = [str(one) for one in known]
    requests: list[tuple[str, str, object]] = [
        ("GET", f"{table}?{column}=eq.{one}", None) for table, column in _COLUMNS for one in ids
    ]
    requests += [("PATCH", f"user_memory?id=eq.{one}", {"memory_text": "Likes nothing"}) for one in ids]
    requests += [("DELETE", f"{table}?{column}=eq.{one}", None) for table, column in _COLUMNS for one in ids]
    requests += [("POST", f"rpc/{name}", {argument: one}) for name, argument in _RPCS for one in ids]
    for method, path, body in requests:
        answer = await on.rest(method, path, eve, **({} if body is None else {"json": body}))
        attack.count("ids of others, REST", path, failed=word in answer.text or on.memories(ada) != before)
    for table, column in _COPIES:
        headers = {**on.headers(eve), "accept-profile": "keepsake_chats"}
        for one in ids:
            answer = await on.request("GET", f"/rest/v1/{table}?{column}=eq.{one}", headers)
            attack.count("ids of others, schema of the copies", table, failed=answer.status_code < 400)
    for function, fields in _FUNCTIONS.items():
        for _ in range(6):
            body = {name: attack.chance.choice(ids) if value is None else value for name, value in fields.items()}
            answer = await on.call(function, body, eve)
            attack.count(
                "ids of others, functions",
                f"{function} {body}",
                failed=word in answer.text or on.memories(ada) != before,
            )


_COLUMNS = (
    ("user_memory", "id"), ("user_memory", "user_id"), ("user_memory", "profile_id"), ("messages", "conversation_id"),
    ("user_profile_list", "id"), ("conversations", "id"), ("conversations_participants", "conversation_id"),
    ("user_memory_entities", "user_id"), ("user_memory_settings", "user_id"),
    ("user_memory_daily_summaries", "user_id"),
)  # fmt: skip
_COPIES = (("messages", "id"), ("conversations", "id"), ("user_profile_list", "id"))
_RPCS = (
    ("undo_operation", "operation_id"), ("forget_memory", "memory_id"), ("restore_memory", "memory_id"),
    ("confirm_memory", "memory_id"), ("end_memory", "memory_id"), ("set_memory_persona", "memory_id"),
    ("memory_operations", "memory_id"), ("confirm_alias", "proposal_id"), ("forget_place", "place"),
    ("memory_participation", "conversation_id"), ("source_message", "message_id"),
)  # fmt: skip
_FUNCTIONS: dict[str, dict[str, object]] = {
    "inject-memory": {"conversation_id": None, "message_id": None},
    "chat-send": {"conversation_id": None, "message_id": None},
    "extract-user-memory": {"conversation_id": None, "message_id": None},
    "manage-user-memory": {"operation": "deactivate_fact", "fact_id": None},
    "erase-memories": {"profile_id": None, "confirm": "erase"},
    "undo-operation": {"operation_id": None},
    "conversation-manager": {"action": "set_memory_enabled", "conversation_id": None, "memory_enabled": False},
}


async def attack_tokens(attack: Attack) -> None:
    """Forged, outdated and malformed tokens at functions and REST: none is taken."""
    on, ada = attack.on, attack.on.person()
    valid = ada.token
    head, payload, signature = valid.split(".")
    claims = jwt.decode(valid, options={"verify_signature": False})
    wrong = "".join(attack.chance.choices("abcdefghij", k=48))
    forged = [
        jwt.encode(claims, wrong, algorithm="HS256"),
        jwt.encode(claims, "", algorithm="none"),
        jwt.encode({**claims, "exp": 1}, on.keys.jwt_secret, algorithm="HS256"),
        f"{head}.{payload}.",
        f"{head}.{payload}.{signature[: -attack.chance.randint(1, 20)]}",
        f"{head}.{payload}.{signature[::-1]}",
        f"{valid}.{signature}",
        jwt.encode({**claims, "sub": str(uuid4())}, wrong, algorithm="HS256"),
        wrong,
    ]
    bodies = {
        "inject-memory": {},
        "manage-user-memory": {"operation": "get_memory"},
        "export-memories": {},
        "erase-memories": {},
    }
    for token in forged:
        headers = {"apikey": on.keys.publishable_key, "authorization": f"Bearer {token}"}
        for function, body in bodies.items():
            answer = await on.request("POST", f"/functions/v1/{function}", headers, json=body)
            attack.count("tokens", f"{function} {token[:60]}", failed=answer.status_code != 401)
        answer = await on.request("GET", "/rest/v1/user_memory?select=id", headers)
        attack.count("tokens", f"REST {token[:60]}", failed=answer.status_code < 400)


async def attack_as_agent(attack: Attack) -> None:
    """An agent against what the person pinned and said, by tool and MCP: it stays as it is."""
    on = attack.on
    for _ in range(max(3, attack.texts // 5)):
        ada, food = on.person(), attack.canary()
        await on.tell(ada, f"My favorite food is {food}.")
        memory = on.memories(ada)[0]
        await on.rest("PATCH", f"user_memory?id=eq.{memory['id']}", ada, json={"pinned": True})
        await on.rest("POST", "rpc/confirm_memory", ada, json={"memory_id": str(memory["id"])})
        calls = [
            {"operation": "forget", "fact_id": f"M-{memory['memory_no']}"},
            {"operation": "forget", "subject": food},
            {"operation": "deactivate_fact", "fact_id": f"M-{memory['memory_no']}"},
            {"operation": "add_fact", "content": f"My favorite food is {attack.canary()}."},
            {"operation": "remember", "content": f"My favorite food is {attack.canary()}."},
        ]
        for arguments in calls:
            await on.call("manage-user-memory", arguments, ada)
            await on.call("manage-user-memory", {**arguments, "user_id": str(ada.user_id)})
            await on.use_tool(ada, arguments)
            rows = [row for row in on.memories(ada) if row["status"] == "active"]
            kept = [row["memory_text"] for row in rows] == [memory["memory_text"]] and rows[0]["pinned"]
            attack.count("agent writes", str(arguments), failed=not kept)


async def attack_deletions(attack: Attack) -> None:
    """Account, profile, conversation or message deleted while requests run: no answer with 5xx."""
    on = attack.on
    for number in range(min(attack.texts, _MAX_DELETIONS)):
        person = on.person()
        message = await on.say(person, "I live in Graz and I like green tea.")
        turn = {"conversation_id": str(person.conversation_id), "message_id": str(message)}
        requests = [
            on.call("inject-memory", turn), on.call("extract-user-memory", turn), on.call("chat-send", turn),
            on.call("import-memories", [{"memory_text": "Likes tea"}], person),
            on.call("manage-user-memory", {"operation": "add_fact", "content": "User likes green tea"}, person),
            on.call("erase-memories", {"everything": True, "confirm": "erase"}, person),
            on.call("export-memories", {}, person),
        ]  # fmt: skip
        running = [asyncio.ensure_future(one) for one in attack.chance.sample(requests, len(requests))]
        await asyncio.sleep(attack.chance.random() * 0.15)
        named = {"user": person.user_id, "profile": person.profile_id, "chat": person.conversation_id}
        deletion = on.chats.deletions[number % len(on.chats.deletions)]
        await asyncio.to_thread(on.sql, deletion, {**named, "message": message})
        for answer in await asyncio.gather(*running):
            attack.count(
                "deletion meanwhile",
                answer.text[:200],
                failed=answer.status_code >= 500 and "retry-after" not in answer.headers,
            )


_MAX_DELETIONS = 60


async def attack_time(attack: Attack) -> None:
    """Long texts made to be slow: others are answered meanwhile."""
    on = attack.on
    for shot in islice(shots(attack.texts * 40, attack.seed), 0, None, 40):
        person = on.person()
        reading = asyncio.ensure_future(on.tell(person, shot.text(60_000).replace("\x00", " ")))
        slowest = 0.0
        while not reading.done():
            began = time.monotonic()
            await on.request("GET", "/health", {})
            slowest = max(slowest, time.monotonic() - began)
            await asyncio.sleep(0.2)
        await reading
        attack.count("blocked by a text", repr(shot.part)[:60], failed=slowest > _MAX_WAIT_SECONDS)
