"""Checks the language model: that its endpoint answers, accepts the key, and completes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import httpx

from keepsake.infra.models.chat import LanguageModel
from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable
from keepsake.infra.setting_formats import split_models
from keepsake.infra.settings import Settings
from keepsake.operations.environment import OPENAI_URL
from keepsake.operations.finding import Finding

_SUBJECT = "model"
_REMEDY_OF_THOUGHTS = (
    "It may think before it answers: switch that off with MODEL_REQUEST_FIELDS, or raise MODEL_OUTPUT_TOKENS."
)
_SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}


def check_model_endpoint(settings: Settings, *, key_is_elsewhere: bool = False) -> Finding:
    """Check that the endpoint answers, accepts the key, and completes with each model that is named."""
    if not (names := _models(settings)):
        return Finding(_SUBJECT, "none: memories are found by rules")
    return _check_endpoint(settings, names[0], key_is_elsewhere=key_is_elsewhere) or _check_completions(settings, names)


def _models(settings: Settings) -> tuple[str, ...]:
    """The models in use, each once: that of extraction first."""
    summarizing = (settings.openai_summary_model, *split_models(settings.openai_summary_models).values())
    return tuple(dict.fromkeys(name for name in (settings.openai_extraction_model, *summarizing) if name))


def _check_endpoint(settings: Settings, name: str, *, key_is_elsewhere: bool) -> Finding | None:
    key = settings.openai_api_key
    url = f"{(settings.openai_base_url or OPENAI_URL).rstrip('/')}/models"
    headers = {"authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    try:
        status = httpx.get(url, headers=headers, timeout=10).status_code
    except httpx.HTTPError as error:
        result = f"{url} does not answer ({type(error).__name__})"
        return Finding(
            _SUBJECT, result, "Check OPENAI_BASE_URL; meanwhile turns wait, then rules read them.", failed=True
        )
    if status in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
        if key_is_elsewhere:
            result = f"{name}, at {url.removesuffix('/models')}, with a key that only the running stack has"
            return Finding(_SUBJECT, result, "Set OPENAI_API_KEY here too to try it.")
        return Finding(_SUBJECT, f"{url} answers {status}", "Check OPENAI_API_KEY.", failed=True)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return Finding(_SUBJECT, f"{url} answers {status}", "Wait, or ask its operator.", failed=True)
    return None


def _check_completions(settings: Settings, names: Sequence[str]) -> Finding:
    for name in names:
        if (problem := asyncio.run(_complete(settings, name))) is not None:
            return problem
    return Finding(_SUBJECT, f"{', '.join(names)}, which completes at {settings.openai_base_url or OPENAI_URL}")


async def _complete(settings: Settings, name: str) -> Finding | None:
    """Make one real completion, whatever it answers."""
    model = LanguageModel.of(settings)
    try:
        deadline = asyncio.get_running_loop().time() + settings.model_deadline_seconds
        reply = await model.ask(name, _build_messages, _SCHEMA, deadline=deadline)
    except ModelUnavailable as failure:
        remedy = "Check the model's name, and that the key may use it and has a quota."
        return Finding(_SUBJECT, f"{name} does not complete ({failure.why})", remedy, failed=True)
    finally:
        await model.close()
    if isinstance(reply, Answer) and reply.is_truncated:
        result = f"{name} has no answer of one word within {settings.model_output_tokens} tokens"
        return Finding(_SUBJECT, result, _REMEDY_OF_THOUGHTS, failed=True)
    if isinstance(reply, Answer) and reply.reasoning.strip() and not reply.text.strip():
        return Finding(_SUBJECT, f"{name} answers with thoughts alone", _REMEDY_OF_THOUGHTS, failed=True)
    return None


def _build_messages(*, schema_in_prompt: bool) -> list[Mapping[str, str]]:
    form = ' as JSON: {"ok": true}' if schema_in_prompt else ""
    return [{"role": "user", "content": f"Answer that you are ready{form}."}]
