"""What an endpoint takes is learnt from refusals that name an option, and from no text that only mentions a word."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.infra.models.request_profile import RequestProfile, is_too_long

PROFILE = RequestProfile()
SENT: dict[str, Any] = {**PROFILE.options(700, {}, may_think=False), **PROFILE.response_format({"type": "object"})}


def adapt(text: str, param: str = "", **extra: Any) -> RequestProfile | None:
    return PROFILE.without(text, param, SENT, extra=extra, fixed_mode=False)


def test_options__ask_not_to_think_and_the_operators_fields_win() -> None:
    assert SENT["reasoning_effort"] == "none"
    assert SENT["chat_template_kwargs"] == {"enable_thinking": False}
    options = PROFILE.options(700, {"reasoning_effort": "low", "top_p": 0.9}, may_think=False)
    assert (options["reasoning_effort"], options["top_p"]) == ("low", 0.9)
    assert not {"think", "reasoning_effort"} & PROFILE.options(700, {}, may_think=True).keys()


@pytest.mark.parametrize(
    "text, param, refused",
    [
        ("Unsupported parameter: 'max_completion_tokens' is not supported.", "", "max_completion_tokens"),
        ("Only the default value is supported.", "temperature", "temperature"),
        ("Unrecognized request argument supplied: chat_template_kwargs", "", "chat_template_kwargs"),
        ('Invalid JSON payload received. Unknown name "think": Cannot find field.', "", "think"),
        ("Unsupported value: 'reasoning_effort' does not support 'none'.", "reasoning_effort", "reasoning_effort=none"),
    ],
)
def test_a_refused_option__is_left_out(text: str, param: str, refused: str) -> None:
    adapted = adapt(text, param)
    assert adapted is not None
    assert adapted.refused == {refused}
    assert adapted.options(700, {}, may_think=False) != PROFILE.options(700, {}, may_think=False)


def test_another_effort__is_tried_before_none_is_named() -> None:
    efforts = []
    profile: RequestProfile | None = PROFILE
    while profile is not None and (effort := profile.options(700, {}, may_think=False).get("reasoning_effort")):
        efforts.append(effort)
        sent = profile.options(700, {}, may_think=False)
        profile = profile.without("Unsupported value", "reasoning_effort", sent, extra={}, fixed_mode=False)
    assert efforts == ["none", "minimal", "low"]


@pytest.mark.parametrize(
    "text",
    ["I think something went wrong with the schema.", "The temperature of this model is fine.", "max_tokens: 700", ""],
)
def test_a_text_that_mentions_a_word__teaches_nothing(text: str) -> None:
    assert adapt(text) is None


@pytest.mark.parametrize(
    "text, expected",
    [
        ("This model's maximum context length is 4096 tokens.", True),
        ("the request exceeds the available context size", True),
        ("Request too large for gpt-4o on tokens per min", True),
        ("You exceeded your current quota, please check your plan.", False),
        ("Rate limit reached for requests", False),
        ("The server had an error while processing your request.", False),
    ],
)
def test_too_long__is_told_from_other_errors(text: str, *, expected: bool) -> None:
    assert is_too_long(text) is expected
