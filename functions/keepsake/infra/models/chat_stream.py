"""Streams the text of a chat completion from any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import httpx2
import openai

from keepsake.infra.models.chat import open_client, to_model_error
from keepsake.infra.models.chat_reply_parser import ModelUnavailable, error_of_connection
from keepsake.infra.settings import Settings

_MAX_BYTES = 4 * 1024 * 1024


async def stream_text(settings: Settings, messages: Sequence[Mapping[str, str]]) -> AsyncIterator[str]:
    """Yield the text of the model's answer piece by piece; raise ModelUnavailable where it fails or is too slow.

    The deadline (MODEL_DEADLINE_SECONDS) holds for each piece, not for the whole answer.
    """
    key = settings.openai_api_key
    client = open_client(settings.openai_base_url, key.get_secret_value() if key else None, max_bytes=_MAX_BYTES)
    request: Any = {"model": settings.openai_extraction_model, "messages": list(messages), "stream": True}
    deadline = settings.model_deadline_seconds
    try:
        stream = await asyncio.wait_for(client.chat.completions.create(**request), deadline)
        pieces = aiter(stream)
        while (chunk := await asyncio.wait_for(anext(pieces, None), deadline)) is not None:
            for choice in chunk.choices or ():
                if choice.delta and choice.delta.content:
                    yield choice.delta.content
    except TimeoutError:
        raise ModelUnavailable("busy", "deadline", sent=True) from None
    except openai.OpenAIError as error:
        raise to_model_error(error) from error
    except (OSError, httpx2.HTTPError) as error:
        raise error_of_connection(error) from error
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise ModelUnavailable("bad_reply", "unreadable", sent=True) from error
    finally:
        await client.close()
