"""Rows about replies of a model: a stack asks an endpoint of ours that answers what the row says."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from bench.attack.stack import AttackStack, Person
from bench.failing_inputs.rows import Row
from bench.failing_inputs.without_model import current, texts
from tests.model_server.asked import Asked
from tests.model_server.completions import completion, error, with_choices
from tests.model_server.running import ModelServer

Check = Callable[[AttackStack, ModelServer, Row], Awaitable[bool]]
_GENERATOR = "select generator from keepsake.extractions where source_message_id = %(message)s"
_DROPPED = "select dropped from keepsake.extractions where user_id = %(user)s"
_MAX_CALLS_OF_THINKING = 22
_LONG = 20_000
_LONG_MESSAGE = "I moved to Bergen. " + "The weather by the river was mild and nobody was in a hurry. " * 480
_PLAIN: Mapping[str, Any] = {
    "relation": "new", "number": None, "type": "fact", "subtype": "other", "confidence": 0.9, "about": "self",
    "attribute": "", "value": "", "many": False, "importance": 1, "entity": None, "language": "en",
    "astro_context": None,
}  # fmt: skip
_SISTER = {**_PLAIN, "text": "Sister Ylva is a welder", "quote": "my sister Ylva is a welder", "about": "Ylva"}
_HOME = {
    **_PLAIN, "text": "Lives in Bergen", "quote": "I moved to Bergen", "subtype": "identity", "attribute": "home",
    "value": "Bergen",
}  # fmt: skip


async def say(on: AttackStack, person: Person, text: str) -> str | None:
    """Have a message read; by what it was."""
    message = await on.say(person, text)
    turn = {"conversation_id": str(person.conversation_id), "message_id": str(message)}
    await on.call("extract-user-memory", turn)
    rows = on.sql(_GENERATOR, {"message": message})
    return rows[0]["generator"] if rows else None


def answer_with(model: ModelServer, *memories: Mapping[str, Any]) -> None:
    """Let the endpoint propose these memories."""
    model.script.forget()
    model.script.always({"content": json.dumps({"memories": memories}, ensure_ascii=False)})


def message_of_choice(message: Mapping[str, Any]) -> Callable[[Asked], Awaitable[Response]]:
    """An endpoint whose answer has this message."""

    async def reply(asked: Asked) -> Response:
        choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop", "logprobs": None}
        return JSONResponse(with_choices(asked.body, [choice]))

    return reply


async def wrapped_reply(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """A reply that has one meaning is read in one call; what only thinks is refused."""
    model.script.forget()
    if "content" in row.input:
        model.script.always({"content": row.input["content"]})
    else:
        model.script.always(message_of_choice(row.input["message_of_choice"]))
    person = on.person()
    generator = await say(on, person, row.input["message"])
    calls = len(model.script.chats)
    if "refused" in row.right:
        return generator != "llm" and calls <= 2
    if "without memories" in row.right:
        return generator == "llm" and calls <= 2 and not texts(on, person)
    return generator == "llm" and calls == 1 and texts(on, person)[:1] == ["Lives in Bergen"]


async def wrong_member(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """One member of an unusual form costs at most its own memory."""
    answer_with(model, _SISTER, {**_HOME, **row.input["member"]})
    person = on.person()
    generator = await say(on, person, row.input["message"])
    # A value that was read, and then refused because nobody said it, was read.
    (extraction,) = on.sql(_DROPPED, {"user": person.user_id})
    is_read = (
        "dropped" in row.right or "Lives in Bergen" in texts(on, person) or "invented_words" in extraction["dropped"]
    )
    return (
        generator == "llm"
        and len(model.script.chats) == 1
        and "Sister Ylva is a welder" in texts(on, person)
        and is_read
    )


async def thinking_without_end(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """An endpoint that thinks until it is cut off is told to stop, or is soon asked no more."""

    async def reply(asked: Asked) -> Response:
        body = asked.body
        options = (body.get("reasoning_effort"), body.get("think"), (body.get("chat_template_kwargs") or {}))
        if options[0] == "none" or options[1] is False or options[2].get("enable_thinking") is False:
            return asked.answers_well()
        return JSONResponse(completion(body, "", finish_reason="length"))

    model.script.forget()
    model.script.always(reply)
    person = on.person()
    for number in range(row.input["messages"]):
        await say(on, person, f"I moved to Bergen in {2000 + number}.")
    return len(model.script.chats) <= _MAX_CALLS_OF_THINKING


async def believed_or_not(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """What a model says of the person is stored only where it is said of them."""
    proposed = row.input["proposed"].partition(" (")[0]
    quote = {"PB-07/model-her-dog": "her dog is Bruno", "PB-07/model-own-name": "this is Greta again"}
    name = row.id.partition("model-")[2]
    attribute = {"her-dog": "pet", "own-name": "name", "es-sister": "allergy"}.get(name, "")
    language = name[:2] if name.startswith(("es-", "fr-")) else "en"
    answer_with(
        model,
        {
            **_PLAIN,
            "text": proposed,
            "quote": quote.get(row.id, row.input["message"]),
            "attribute": attribute,
            "language": language,
        },
    )
    person = on.person()
    await say(on, person, row.input["message"])
    return (proposed in texts(on, person)) == (row.right == "stored")


async def kept_as_written(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """A right statement in the person's language is stored as the model wrote it."""
    text, said = row.input["text_of_the_reply"], row.input["message"]
    answer_with(model, {**_PLAIN, "text": text, "quote": said, "language": row.id.rpartition("-")[2][:2]})
    person = on.person()
    await say(on, person, said)
    return texts(on, person) == [text]


async def two_people(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """Names that differ in a combining mark are two."""
    person = on.person()
    abouts = row.input.get("about", ["self", "self"])
    for said, about in zip(row.input["messages"], abouts, strict=True):
        attribute = row.input["attribute"]
        value = said.split()[1 if attribute == "likes" else 3]
        text = said.rstrip("।")
        answer_with(
            model,
            {**_PLAIN, "text": text, "quote": said, "about": about, "attribute": attribute, "value": value,
             "many": attribute == "likes", "language": "hi"},
        )  # fmt: skip
        await say(on, person, said)
    return len(current(on, person)) == 2


async def refused_request(on: AttackStack, model: ModelServer, row: Row) -> bool:
    """A request that the endpoint refuses costs its own turn alone, and the next person is read by the model."""
    status = row.input.get("status", 400)
    said = row.input["error"].removeprefix("400 ")

    async def reply(asked: Asked) -> Response:
        if sum(len(str(one.get("content"))) for one in asked.body["messages"]) > _LONG:
            return JSONResponse(error(said, kind="invalid_request_error", code=said.partition(":")[0]), status)
        return asked.answers_well()

    model.script.forget()
    model.script.always(reply)
    person, other = on.person(), on.person()
    times = 3 if row.id.endswith("stops-all") else 1
    generators = [await say(on, person, _LONG_MESSAGE) for _ in range(times)]
    long_calls = len(model.script.chats)
    generator = await say(on, other, "I moved to Bergen.")
    last = model.script.chats[-1].get("response_format", {}).get("type")
    is_whole = generator == "llm" and last == "json_schema" and None not in generators
    return is_whole and long_calls <= 2 * times and texts(on, other) == ["Lives in Bergen"]


CHECKS: tuple[tuple[str, Check], ...] = (
    ("PB-03/", wrong_member),
    ("PB-04/", thinking_without_end),
    ("PB-05/", refused_request),
    ("PB-07/model-", believed_or_not),
    ("PB-13/hi-", two_people),
    ("PB-13/", kept_as_written),
    ("PB-0", wrapped_reply),
)
"""What is checked, by the beginning of the id; the first that fits."""
