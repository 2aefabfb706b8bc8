"""The model path for the evaluation: the product's own question, over HTTP to a scripted model, and its own reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from starlette.responses import Response

from bench.junk import gullible
from bench.junk.claims import lines
from bench.junk.person import Said
from keepsake.domain.consent.turn_context import Consent, TurnContext
from keepsake.domain.memory import MemoryType
from keepsake.domain.model_availability import EndpointHealth
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.store.turns import PromptContext
from keepsake.usecases.extraction.ask_model import ask_model
from keepsake.usecases.extraction.model_request import ModelRequest
from keepsake.usecases.extraction.proposals import Generator, MessageToRead, Proposal
from keepsake.usecases.models.gate import ModelSlot
from tests.model_server.asked import Asked
from tests.model_server.running import ModelServer

_NOBODY = UUID(int=1)


@dataclass
class _Scripted:
    """Answers about a message by its label, and beside it all that must not be kept."""

    labels: Mapping[str, dict[str, Any]]
    injected: tuple[str, ...] = field(default=())

    async def __call__(self, asked: Asked) -> Response:
        proposed = gullible.proposals(self.labels.get(asked.said), asked.said, asked.heard, self.injected)
        return asked.answers_with(proposed)


@contextmanager
def by_model(folder: Path) -> Iterator[Generator]:
    """A generator that asks a scripted model, which is up as long as this lasts."""
    labels = {row["text"]: row for name in ("turns", "injections") for row in lines(folder, name)}
    labels |= {row["text"]: row for row in lines(folder, "fresh_turns")}
    labels |= {row["reply"]: {"id": "reply-1", "expect": []} for row in lines(folder, "feedback")}
    scripted = _Scripted(labels)
    with ModelServer() as server:
        server.script.always(scripted)
        resources = Resources.build(
            Settings.load(
                database_url="postgresql://nobody@127.0.0.1:1/none",
                supabase_jwt_secret="the model path asks no database, and nobody signs in",  # noqa: S106
                openai_base_url=server.url,
                openai_api_key="none",
                openai_extraction_model="scripted",
            )
        )

        async def generate(said: MessageToRead) -> Proposal:
            assistant, scripted.injected = gullible.ASSISTANT, ()
            if isinstance(said, Said) and said.assistant:
                assistant, scripted.injected = said.assistant, tuple(said.injected)
            attempt = await ask_model(resources, _request(said, assistant, scripted.injected), said)
            server.script.received.clear()
            if not isinstance(attempt.outcome, Proposal) or attempt.outcome.generator != "llm":
                raise RuntimeError(f"the scripted model was not heard: {attempt}")
            return attempt.outcome

        yield generate


def _request(said: MessageToRead, assistant: str, injected: tuple[str, ...]) -> ModelRequest:
    context = PromptContext(assistant=assistant, injected=injected)
    start = datetime.min.replace(tzinfo=said.said_at.tzinfo)
    slot = ModelSlot("scripted", "scripted", _NOBODY, EndpointHealth(), start)
    return ModelRequest(slot, _turn(said), context)


def _turn(said: MessageToRead) -> TurnContext:
    return TurnContext(
        author=_NOBODY,
        profile_id=_NOBODY,
        conversation_id=_NOBODY,
        mode="chat",
        persona_id=None,
        message_id=_NOBODY,
        turn_index=None,
        role="user",
        text=said.text,
        said_at=said.said_at,
        timezone=None,
        consent=Consent(
            profile_owner=_NOBODY,
            is_primary=True,
            memory_enabled=True,
            remember_since=None,
            building=True,
            enabled=True,
            erased_before=None,
            allowed_types=frozenset(MemoryType),
        ),
    )
