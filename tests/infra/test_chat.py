"""The way to the model: bounded in time and size, never repeating, learning what an endpoint does not know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest

from keepsake.domain.extraction.reply_schema import schema_of
from keepsake.domain.replies.json_schema import without_limits
from keepsake.infra.models.chat import LanguageModel
from keepsake.infra.models.chat_reply_parser import (
    MAX_RETRY_AFTER,
    Answer,
    ModelUnavailable,
    Refusal,
    Reply,
    error_of_status,
)
from keepsake.infra.models.request_profile import SchemaMode
from tests.model_server.running import ModelServer
from tests.model_server.script import FAULTS


def question(*, schema_in_prompt: bool) -> Sequence[Mapping[str, str]]:
    return [{"role": "user", "content": "I live in Graz." + (" JSON schema!" if schema_in_prompt else "")}]


async def ask(model: LanguageModel, name: str = "scripted", seconds: float = 20) -> Reply:
    return await model.ask(name, question, schema_of(), deadline=asyncio.get_running_loop().time() + seconds)


@pytest.fixture
async def llm(model: ModelServer) -> AsyncIterator[LanguageModel]:
    language_model = LanguageModel(base_url=model.url, api_key="sk-none")
    yield language_model
    await language_model.close()


async def test_answer__with_what_it_cost(llm: LanguageModel) -> None:
    reply = await ask(llm)
    assert isinstance(reply, Answer)
    assert not reply.is_truncated
    assert reply.usage is not None
    assert reply.usage.input > 0


@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_every_fault__is_an_answer_a_refusal_or_the_one_error_within_the_deadline(
    llm: LanguageModel, fault: str
) -> None:
    try:
        async with asyncio.timeout(60):  # an endless answer would never end
            assert isinstance(await ask(llm, f"fault:{fault}", seconds=0.5), Answer | Refusal)
    except ModelUnavailable as failure:
        assert failure.kind in {"busy", "locked_out", "bad_reply"}  # noqa: PT017 (either is right, and which is told below)
        assert "scripted" not in str(failure)  # noqa: PT017 (as above)


@pytest.mark.parametrize(
    "fault, kind, why",
    [
        ("busy", "busy", "429"), ("error_503", "busy", "503"), ("unauthorized", "locked_out", "401"),
        ("quota", "locked_out", "quota"), ("no_such_model", "locked_out", "404"), ("bad_request", "locked_out", "400"),
        ("hang", "busy", "deadline"), ("trickle", "busy", "deadline"), ("reset", "busy", "broken_off"),
        ("ends_midway", "busy", "broken_off"), ("huge_body", "bad_reply", "too_large"),
        ("html", "bad_reply", "not_json"), ("not_gzip", "bad_reply", "too_large"), ("redirect", "busy", "307"),
        ("null_content", "bad_reply", "no_content"), ("empty_choices", "bad_reply", "no_choices"),
        ("body_too_deep", "bad_reply", "not_json"),
    ],
)  # fmt: skip
async def test_fault__is_named(llm: LanguageModel, model: ModelServer, fault: str, kind: str, why: str) -> None:
    with pytest.raises(ModelUnavailable) as failure:
        await ask(llm, f"fault:{fault}", seconds=0.5 if why == "deadline" else 20)
    assert (failure.value.kind, failure.value.why) == (kind, why)
    sent = [chat for chat in model.script.chats if chat["model"] == f"fault:{fault}"]  # and none of before
    most = 4 if fault == "bad_request" else 1  # without the wish not to think, and a short question
    assert 0 < len(sent) <= most or (not sent and why == "deadline"), "the SDK repeats nothing by itself"


async def test_nobody_there__is_busy_and_cost_nothing(unused_tcp_port: int) -> None:
    away = LanguageModel(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1", api_key=None)
    with pytest.raises(ModelUnavailable) as failure:
        await ask(away)
    assert (failure.value.kind, failure.value.why, failure.value.sent) == ("busy", "refused", False)
    await away.close()


@pytest.mark.parametrize(
    "fault, tried",
    [("no_json_schema", ["json_schema", "json_object"]), ("no_response_format", ["json_schema", "json_object", None])],
)
async def test_schema_mode__is_learnt_once_and_the_schema_then_stands_in_the_text(
    llm: LanguageModel, model: ModelServer, fault: str, tried: list[str | None]
) -> None:
    for _ in range(2):
        await ask(llm, f"fault:{fault}")
    modes = [asked.get("response_format", {}).get("type") for asked in model.script.chats]
    assert modes == [*tried, tried[-1]]
    assert ["JSON schema!" in asked["messages"][0]["content"] for asked in model.script.chats] == [
        mode != "json_schema" for mode in modes
    ]


@pytest.mark.parametrize(
    "mode, sent", [("json_schema", "json_schema"), ("json_object", "json_object"), ("prompt", None)]
)
async def test_schema_mode__can_be_settled(model: ModelServer, mode: SchemaMode, sent: str | None) -> None:
    settled = LanguageModel(base_url=model.url, api_key=None, schema_mode=mode)
    await ask(settled)
    assert model.script.chats[0].get("response_format", {}).get("type", "prompt") == mode
    await settled.close()


async def test_limits_of_the_schema__are_left_out_where_they_are_refused(
    llm: LanguageModel, model: ModelServer
) -> None:
    """Learnt once, and the strict schema stays."""
    for _ in range(2):
        assert isinstance(await ask(llm, "fault:no_schema_limits"), Answer)
    formats = [chat["response_format"] for chat in model.script.chats]
    assert ["maxLength" in str(one) for one in formats] == [True, False, False]
    assert [one["type"] for one in formats] == ["json_schema"] * 3
    assert formats[-1]["json_schema"]["schema"] == without_limits(schema_of())


async def test_temperature__is_left_out_where_the_model_takes_none(llm: LanguageModel, model: ModelServer) -> None:
    for _ in range(2):
        await ask(llm, "fault:no_temperature")
    assert ["temperature" in asked for asked in model.script.chats] == [True, False, False]


@pytest.mark.parametrize(
    "header, least, most",
    [
        ("7", 7, 7), ("0.5", 0.5, 0.5), ("99999999999", MAX_RETRY_AFTER, MAX_RETRY_AFTER),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0, 0), ("Sun, 06 Nov 2194 08:49:37 GMT", MAX_RETRY_AFTER, MAX_RETRY_AFTER),
    ],
)  # fmt: skip
def test_retry_after__is_read_in_every_form(header: str, least: float, most: float) -> None:
    told = error_of_status(429, (), {"retry-after": header}).retry_after
    assert told is not None
    assert least <= told <= most


@pytest.mark.parametrize("header", ["", "soon", "-1", "nan", "Sun, 99 Nov"])
def test_retry_after__that_says_nothing_is_none(header: str) -> None:
    assert error_of_status(429, (), {"retry-after": header}).retry_after is None


@pytest.mark.parametrize(
    "url, shown",
    [
        ("https://user:secret@llm.example/v1/", "https://llm.example/v1"),
        ("http://127.0.0.1:11434/v1?key=secret", "http://127.0.0.1:11434/v1"),
        (None, "https://api.openai.com/v1"),
    ],
)
def test_endpoint__is_named_without_credentials(url: str | None, shown: str) -> None:
    """It stands in the database and in metrics."""
    assert LanguageModel(base_url=url, api_key="secret").endpoint == shown
