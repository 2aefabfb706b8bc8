"""Checks that the beginning of a long prompt reaches the model: some servers cut it off without an error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial

from keepsake.infra.models.chat import LanguageModel
from keepsake.infra.models.chat_reply_parser import TOO_LONG, Answer, ModelUnavailable
from keepsake.infra.settings import Settings
from keepsake.operations.finding import Finding

_SUBJECT = "window"
_WORD = "zeppelin"
_FILLER = "The harbor was quiet that day, and nobody said anything of interest to anyone. "
_TOKENS_OF_FILLER = 17
_MAX_PROMPT = 9_500
"""Tokens of the longest prompt, where no window is set: a message has up to 32,000 characters."""
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
_REMEDY = "Set MODEL_WINDOW_TOKENS to the window of the server, or enlarge that (Ollama: num_ctx; llama.cpp: -c)."


def check_model_window(settings: Settings, *, key_is_elsewhere: bool) -> Iterator[Finding]:
    """Ask for a word that stands at the beginning of the longest prompt that this model is sent."""
    name = settings.openai_extraction_model
    if name is None or key_is_elsewhere:
        return
    tokens = (settings.model_window_tokens or _MAX_PROMPT) - settings.model_output_tokens
    try:
        has_arrived = asyncio.run(_ask(settings, name, tokens))
    except ModelUnavailable as failure:
        if failure.why == TOO_LONG:
            yield Finding(_SUBJECT, f"{name} refuses {tokens} tokens; such messages are shortened by half", _REMEDY)
        else:
            yield Finding(_SUBJECT, f"not looked at: {name} does not answer to {tokens} tokens ({failure.why})")
        return
    if has_arrived:
        yield Finding(_SUBJECT, f"{name} reads the beginning of a prompt of {tokens} tokens")
    else:
        yield Finding(_SUBJECT, f"{name} does not see the beginning of {tokens} tokens", _REMEDY, failed=True)


async def _ask(settings: Settings, name: str, tokens: int) -> bool:
    model = LanguageModel.of(settings)
    try:
        deadline = asyncio.get_running_loop().time() + settings.model_deadline_seconds
        reply = await model.ask(name, partial(_messages, tokens), _SCHEMA, deadline=deadline)
    finally:
        await model.close()
    return isinstance(reply, Answer) and _WORD in reply.text.casefold()


def _messages(tokens: int, *, schema_in_prompt: bool) -> list[Mapping[str, str]]:
    form = ' Answer as JSON: {"word": "…"}.' if schema_in_prompt else ""
    filler = _FILLER * max(1, tokens // _TOKENS_OF_FILLER - 5)
    return [
        {"role": "system", "content": f"The secret word is {_WORD}."},
        {"role": "user", "content": f"{filler}\nWhat is the secret word?{form}"},
    ]
