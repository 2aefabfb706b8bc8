"""Has a model write the summary of a conversation, before the transaction that stores it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from keepsake.domain.sessions.session_summary import PAUSE
from keepsake.domain.summaries.conversation_plan import SummaryPlan, WriteSummary, plan_summary
from keepsake.domain.summaries.conversation_prompt import build_conversation_prompt
from keepsake.domain.summaries.conversation_sources import ConversationSources
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import conversation_summaries
from keepsake.store.conversation_summaries import MAX_TURNS, StoredSummary
from keepsake.usecases.summaries.ask_model import acquire_slot, ask_for_summary, budget, has_model
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt

ConversationAttempt = SummaryAttempt[ConversationSources]


@dataclass(frozen=True, slots=True)
class ConversationRequest:
    """What a model is to be asked about a conversation, and how long this has waited for it."""

    sources: ConversationSources
    prompt: SummaryPrompt
    wait: ModelWait


async def summarize_conversation_by_model(
    resources: Resources, *, conversation_id: UUID, min_turns: int
) -> ConversationAttempt | None:
    """What the model makes of a conversation whose summary is to be written; None where it is not, or by rules."""
    async with resources.database.as_service() as conn:
        request = await find_request(resources, conn, conversation_id=conversation_id, min_turns=min_turns)
        if request is None:
            return None
        user_id = request.sources.turns[-1].user_id
        slot = await acquire_slot(resources, conn, "conversation", user_id=user_id, wait=request.wait)
    return await ask_for_summary(resources, slot, request.prompt, request.sources, wait=request.wait)


async def find_request(
    resources: Resources, conn: Connection, *, conversation_id: UUID, min_turns: int
) -> ConversationRequest | None:
    """What a model is to be asked about a conversation; None where its summary is not to be written, or by rules."""
    if not has_model(resources, "conversation"):
        return None
    now = resources.clock.now()
    stored = await conversation_summaries.read_stored(conn, conversation_id=conversation_id)
    if stored is None or stored.is_of_host:
        return None
    sources = await conversation_summaries.read_sources(conn, stored, conversation_id=conversation_id, now=now)
    wait = await conversation_summaries.model_wait(conn, conversation_id=conversation_id)
    is_waiting = wait.waiting_since is not None and stored.is_by_rules
    if not (sources.turns and (is_waiting or isinstance(plan_of(stored, sources, min_turns, now), WriteSummary))):
        return None
    prompt = await resources.readers.run_or(
        None,
        build_conversation_prompt,
        sources,
        previous=_previous(stored, sources),
        summarized_ids=stored.source_ids or (),
        budget=budget(resources),
    )
    return None if prompt is None else ConversationRequest(sources, prompt, wait)


def plan_of(stored: StoredSummary, sources: ConversationSources, min_turns: int, now: datetime) -> SummaryPlan:
    """What to do with the stored summary of a conversation at this moment."""
    return plan_summary(
        sources,
        stored.source_ids,
        messages_covered=stored.messages_covered or 0,
        min_turns=min_turns,
        is_window_full=len(sources.turns) == MAX_TURNS,
        is_over=bool(sources.turns) and now - sources.turns[-1].said_at >= PAUSE,
    )


def _previous(stored: StoredSummary, sources: ConversationSources) -> str | None:
    """The model's own summary so far, if it rests on nothing that may not be read any more."""
    is_intact = set(stored.source_ids or ()) <= set(sources.message_ids) or len(sources.turns) == MAX_TURNS
    return stored.summary if stored.generator == "llm" and is_intact else None
