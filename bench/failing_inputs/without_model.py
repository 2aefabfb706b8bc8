"""Rows that a stack without a model is given: messages, commands, the tool, edits, imports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import uuid4

from bench.attack.stack import AttackStack, Person
from bench.failing_inputs.rows import Row
from keepsake.domain.text import slug

Check = Callable[[AttackStack, Row], Awaitable[bool]]
_GIVEN = ("Works at Halvorsen shipyard", "Got divorced in 2024", "Takes lithium", "Sister Ylva lives in Bodø")
_GIVEN_IN_GERMAN = ("Ist geschieden", "Schwester wohnt in Bodø")
_ALL = "What do you know about me?"
_MAX_BYTES_OF_OPERATIONS = 65_536
_STORED = """
insert into public.user_memory (user_id, profile_id, memory_text, memory_type)
values (%(user)s, %(profile)s, %(text)s, 'fact')
"""


def current(on: AttackStack, person: Person) -> list[dict[str, Any]]:
    """The memories that are shown as true."""
    return [row for row in on.memories(person) if row["status"] == "active" and row["doubted_at"] is None]


def texts(on: AttackStack, person: Person) -> list[str]:
    """Their texts."""
    return [row["memory_text"] for row in current(on, person)]


def store(on: AttackStack, person: Person, given: Sequence[str]) -> None:
    """Write memories past everything."""
    for text in given:
        on.sql(_STORED, {"user": person.user_id, "profile": person.profile_id, "text": text})


async def no_doubt(on: AttackStack, row: Row) -> bool:
    """The second message doubts nothing."""
    person = on.person()
    for message in row.input["messages"]:
        await on.tell(person, message)
    memories = on.memories(person)
    return bool(memories) and all(one["doubted_at"] is None and one["status"] == "active" for one in memories)


async def nothing_of_the_author(on: AttackStack, row: Row) -> bool:
    """The words of somebody else give no memory."""
    person = on.person()
    await on.tell(person, row.input["message"])
    return not texts(on, person)


async def no_echo(on: AttackStack, row: Row) -> bool:
    """A denial ends or doubts the memory; what is only pasted changes nothing."""
    person = on.person()
    await on.tell(person, "I'm allergic to walnuts.")
    (before,) = on.memories(person)
    await on.tell(person, row.input["message"])
    after = current(on, person)
    if row.right == "unchanged":
        return [(one["id"], one["restated_at"]) for one in after] == [(before["id"], before["restated_at"])]
    return all(one["id"] != before["id"] and "eskil" not in str(one["memory_key"]) for one in after)


async def known_paraphrase(on: AttackStack, row: Row) -> bool:
    """What an agent adds in other words is known."""
    person = on.person()
    await on.tell(person, row.input["said"])
    body = {"operation": "add_fact", "content": row.input["add_fact"]}
    await on.call("manage-user-memory", body, person)
    return len(current(on, person)) == 1


async def no_possession(on: AttackStack, row: Row) -> bool:
    """Nothing is owned that nobody said."""
    person = on.person()
    await on.tell(person, row.input["message"])
    return not any(text.startswith("Has a") for text in texts(on, person))


async def forgotten_or_told(on: AttackStack, row: Row) -> bool:
    """Nothing else is forgotten, and the context says what was done; what is not to be mentioned is not in it."""
    person = on.person()
    given = _GIVEN_IN_GERMAN if "german" in row.id else _GIVEN
    store(on, person, given)
    context = await on.context(person, row.input["message"])
    kept = texts(on, person)
    told = any(words in context for words in ("do not confirm", "othing", "orgotten", "Forgot"))
    return told and len(kept) >= len(given) - 1 and ("mention" not in row.id or "lithium" not in context)


async def stored_as_written(on: AttackStack, row: Row) -> bool:
    """The tool, an import and an edit keep a statement in another language, and a context may show it."""
    text = row.input["text"]
    stored = []
    for entrance in ("tool", "import", "edit"):
        person = on.person()
        if entrance == "tool":
            await on.call("manage-user-memory", {"operation": "add_fact", "content": text}, person)
        elif entrance == "import":
            await on.call("import-memories", [{"memory_text": text}], person)
        else:
            store(on, person, ["Likes tea"])
            path = f"user_memory?user_id=eq.{person.user_id}&memory_text=eq.Likes tea"
            await on.rest("PATCH", path, person, json={"memory_text": text})
        stored.append(texts(on, person) == [text] and text in await on.context(person, _ALL))
    return all(stored)


async def rewritten_by_tool(on: AttackStack, row: Row) -> bool:
    """The tool keeps a text as it is, but for invisible characters."""
    person = on.person()
    await on.call("manage-user-memory", {"operation": "add_fact", "content": row.input["content"]}, person)
    return texts(on, person) in (["Bor i Uppsala"], ["Lives in Oslo"])


async def two_slugs(on: AttackStack, row: Row) -> bool:
    """Two names have two slugs."""
    del on
    return slug(row.input["a"]) != slug(row.input["b"])


async def no_bare_statement(on: AttackStack, row: Row) -> bool:
    """No memory ends with an article."""
    person = on.person()
    await on.tell(person, row.input["message"])
    await on.call("manage-user-memory", {"operation": "add_fact", "content": row.input["message"]}, person)
    return not any(text.split()[-1] in {"a", "an", "the", "their"} for text in texts(on, person))


async def read_through_invisible(on: AttackStack, row: Row) -> bool:
    """An invisible character hides no sentence."""
    wanted = {
        "PB-14/ls-ps": ["Lives in Riga"], "PB-14/tag": ["Lives in Oslo"], "PB-14/zwsp": ["Lives in Oslo", "Loves jazz"],
    }  # fmt: skip
    person = on.person()
    await on.tell(person, row.input["message"])
    return texts(on, person) == wanted[row.id]


async def one_form_of_a_name(on: AttackStack, row: Row) -> bool:
    """A decomposed letter is the composed one."""
    person = on.person()
    await on.tell(person, row.input["message"])
    memories = current(on, person)
    return bool(memories) and all("person:zoë" in one["entity_refs"] for one in memories)


async def foreign_file_is_named(on: AttackStack, row: Row) -> bool:
    """A file of another product is refused, or the report says what it is."""
    answer = await on.call("import-memories", row.input["body"], on.person())
    return answer.status_code == 400 or bool(answer.json()["notes"])


async def localized_truth(on: AttackStack, row: Row) -> bool:
    """A spreadsheet's WAHR and FALSCH do not cost the rows."""
    del row
    person = on.person()
    lines = "".join(f"Likes tea number {number},{'WAHR' if number % 2 else 'FALSCH'}\n" for number in range(12))
    headers = {**on.headers(person), "content-type": "text/csv"}
    content = f"memory_text,pinned\n{lines}"
    await on.request("POST", "/functions/v1/import-memories", headers, content=content)
    return len(texts(on, person)) == 12


async def unknown_field(on: AttackStack, row: Row) -> bool:
    """An export with one more field comes back as it was: the current home, and nothing forgotten."""
    person = on.person()
    for said in ("I live in Graz.", "I love opera.", "I moved to Lisbon."):
        await on.tell(person, said)
    opera = next(one for one in on.memories(person) if "opera" in one["memory_text"])
    await on.call("manage-user-memory", {"operation": "forget", "fact_id": str(opera["id"])}, person)
    before = {one["id"]: one["status"] for one in on.memories(person)}
    document = (await on.call("export-memories", {}, person)).json()
    for memory in document["memories"]:
        memory.update(row.input["added"])
    await on.call("erase-memories", {"profile_id": None, "confirm": "erase"}, person)
    answer = await on.call("import-memories", document, person)
    after = {one["id"]: one["status"] for one in on.memories(person)}
    return answer.status_code == 200 and after == before and "mood_color" in answer.text


async def lenient_tool(on: AttackStack, row: Row) -> bool:
    """The tool takes what lenient clients send."""
    person = on.person()
    answer = await on.use_tool(person, row.input)
    return answer.status_code == 200 and len(texts(on, person)) == 1


async def not_published(on: AttackStack, row: Row) -> bool:
    """No table of ours is published to everybody's panels."""
    del row
    return not on.sql("select 1 from pg_publication_tables where tablename like 'user_memory%%'")


async def bounded_operations(on: AttackStack, row: Row) -> bool:
    """The answer about one operation is bounded."""
    del row
    person = on.person()
    rows = [{"memory_text": f"Likes the tea of garden number {number}"} for number in range(900)]
    await on.call("import-memories", rows, person)
    answer = await on.rest("POST", "rpc/memory_operations", person, json={"max_results": 1})
    return answer.status_code == 200 and len(answer.content) < _MAX_BYTES_OF_OPERATIONS


async def host_clock_behind(on: AttackStack, row: Row) -> bool:
    """A message dated a little before its conversation is read."""
    del row
    found = []
    for seconds in (0.5, 2, 30, 299):
        person = on.person()
        ids = {"chat": uuid4(), "message": uuid4(), "user": person.user_id, "profile": person.profile_id}
        for statement in _NEW_CHAT:
            on.sql(statement, {**ids, "seconds": seconds})
        turn = {"conversation_id": str(ids["chat"]), "message_id": str(ids["message"])}
        await on.call("extract-user-memory", turn)
        found.append(texts(on, person) == ["Lives in Bergen"])
    return all(found)


_NEW_CHAT = (
    "insert into public.conversations (id, user_id, profile_id) values (%(chat)s, %(user)s, %(profile)s)",
    """
    insert into public.messages (id, conversation_id, user_id, role, content, created_at)
    select %(message)s, c.id, c.user_id, 'user', 'I live in Bergen.', c.created_at - make_interval(secs => %(seconds)s)
    from public.conversations as c where c.id = %(chat)s
    """,
)
CHECKS: tuple[tuple[str, Check], ...] = (
    ("G/false-doubt", no_doubt),
    ("G/host-clock", host_clock_behind),
    ("G/memory-operations", bounded_operations),
    ("PB-07/", nothing_of_the_author),
    ("PB-08/", no_echo),
    ("PB-09/agent", known_paraphrase),
    ("PB-09/invented", no_possession),
    ("PB-11/", forgotten_or_told),
    ("PB-13/claim", stored_as_written),
    ("PB-13/slug", two_slugs),
    ("PB-13/rewrite-tool", rewritten_by_tool),
    ("PB-14/bom", rewritten_by_tool),
    ("PB-14/emoji", no_bare_statement),
    ("PB-14/nfd", one_form_of_a_name),
    ("PB-14/", read_through_invisible),
    ("PB-17/each-context", not_published),
    ("PB-20/mem0", foreign_file_is_named),
    ("PB-20/spreadsheet", localized_truth),
    ("PB-20/unknown-field", unknown_field),
    ("PB-21/", lenient_tool),
)
"""What is checked, by the beginning of the id; the first that fits."""
