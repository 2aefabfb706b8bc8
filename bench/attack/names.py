"""Attacks with foreign names on a whole stack: by import, tool and RPC, and in the profile that a person edits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import psycopg

from bench.attack.entrances import Batch, send_all
from bench.attack.stack import Attack, AttackStack, Person
from bench.attack.text_sets import AttackText, read_lines

_QUESTION = "What do you know about me?"


_EDIT_PROFILE = """
update keepsake_chats.user_profile_list as p set (name, nickname, pronouns) = (
  select e.name, e.nickname, e.pronouns
  from jsonb_populate_record(p, jsonb_build_object(%(field)s::text, %(text)s::text)) as e)
where p.id = %(profile)s
"""


def _imported(field: str) -> Batch:
    async def send(on: AttackStack, texts: Sequence[AttackText]) -> list[bool]:
        person = on.person()
        rows = [{"memory_text": f"Likes tea {number}", field: one.text[:100]} for number, one in enumerate(texts)]
        await on.call("import-memories", rows, person)
        stored = {row[field] for row in on.memories(person)}
        return [one.text[:100] in stored for one in texts]

    return send


def _place(field: str, column: str) -> Batch:
    async def send(on: AttackStack, texts: Sequence[AttackText]) -> list[bool]:
        person, stored = on.person(), []
        for one in texts:
            place = {"operation": "add_poi", "place_id": "p1", "place_name": "Home", field: one.text[:200]}
            await on.call("manage-user-memory", place, person)
            rows = on.sql("select * from public.user_memory_places where user_id = %(user)s", {"user": person.user_id})
            stored.append(one.text[:200] in {row[column] for row in rows})
        return stored

    return send


def _shown(change: Callable[[AttackStack, Person, str], Awaitable[object]], question: str = _QUESTION) -> Batch:
    """Sends a name by what a person writes directly: it is stored, and may not be shown."""

    async def send(on: AttackStack, texts: Sequence[AttackText]) -> list[bool]:
        person, shown = on.person(), []
        row = {"memory_text": "Anna likes tea", "entity_refs": ["person:anna"], "entity_label": "Anna", "importance": 3}
        await on.call("import-memories", [row], person)
        for one in texts:
            await change(on, person, one.text)
            shown.append(_letters(one.text) in _letters(await on.context(person, question)))
        return shown

    return send


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _profile(field: str) -> Batch:
    async def change(on: AttackStack, person: Person, text: str) -> None:
        if on.chats.layout is None:
            row = {field: text[:100]}
            await on.rest("PATCH", f"user_profile_list?id=eq.{person.profile_id}", person, json=row)
            return
        values = {"field": field, "text": text[:100], "profile": person.profile_id}
        with suppress(psycopg.errors.CheckViolation):  # by the backend: REST shows the application's table of this name
            on.sql(_EDIT_PROFILE, values)

    return _shown(change)


async def _set_persona(on: AttackStack, person: Person, text: str) -> None:
    memory = on.memories(person)[0]["id"]
    await on.rest("POST", "rpc/set_memory_persona", person, json={"memory_id": str(memory), "persona_id": text[:100]})


def _entity(function: str, argument: str) -> Batch:
    async def change(on: AttackStack, person: Person, text: str) -> None:
        rows = await on.rest("GET", "user_memory_entities?select=id", person)
        for row in rows.json():
            await on.rest("POST", f"rpc/{function}", person, json={"entity_id": row["id"], argument: text[:100]})

    return _shown(change, "Tell me about Anna")


NAME_ENTRANCES: dict[str, Batch] = {
    "import, label": _imported("entity_label"),
    "import, persona": _imported("persona_id"),
    "import, entity type": _imported("entity_type"),
    "tool, place id": _place("place_id", "place_id"),
    "tool, place name": _place("place_name", "name"),
    "profile, name": _profile("name"),
    "profile, nickname": _profile("nickname"),
    "profile, pronouns": _profile("pronouns"),
    "RPC, persona": _shown(_set_persona),
    "RPC, label": _entity("rename_entity", "label"),
    "RPC, alias": _entity("add_entity_alias", "alias"),
}


async def attack_names(attack: Attack) -> None:
    """Instructions and secrets where a name belongs: stored by nobody but the person, and shown to no model."""
    labels = [AttackText(line) for line in read_lines("labels")]
    for name, send in NAME_ENTRANCES.items():
        await send_all(attack, f"names: {name}", attack.some(labels), send)
