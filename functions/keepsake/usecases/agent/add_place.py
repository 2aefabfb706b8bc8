"""Keeps places that an agent names for a person, and the turns in which they were mentioned."""

from __future__ import annotations

from keepsake.domain.agent.validate_place import PlaceInput, normalize_place, rejection_reason
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool
from keepsake.store.locks import lock_profile_of
from keepsake.usecases.agent.agent_session import AgentCall, ToolResult, agent_session
from keepsake.usecases.screening.classify_sentences import classify_texts


async def add_poi(resources: Resources, call: AgentCall, place: PlaceInput) -> ToolResult:
    """Keep a place that matters to the person, and record that this turn mentions it."""
    place = normalize_place(place)
    notes = place.notes or ""
    reason = rejection_reason(place) or (await classify_texts(resources.embedder, [notes])).get(notes)
    async with agent_session(resources, call, changes=True) as session:
        writer = session.writer_or_refusal()
        if isinstance(writer, ToolResult):
            return writer
        if reason is not None:
            return ToolResult("refused", reason)
        await lock_profile_of(writer)
        async with writer.begin_operation("place") as op:
            row_id, is_new = await agent_tool.upsert_place(writer, place)
            await agent_tool.record_mention(writer, row_id)
        return ToolResult("done", None if is_new else "known", (), op.id, place.place_id)
