"""Places an agent keeps for a person, and the turns in which they were spoken of."""

from __future__ import annotations

from keepsake.domain.agent import places
from keepsake.domain.agent.places import PlaceInput
from keepsake.infra.resources import Resources
from keepsake.store import agents
from keepsake.store.locks import lock_profile
from keepsake.store.operations import operation
from keepsake.usecases.agent.result import Managed, writable
from keepsake.usecases.agent.session import Agent, acting
from keepsake.usecases.commands.where import Where


async def add_poi(resources: Resources, agent: Agent, given: PlaceInput) -> Managed:
    """Keep a place that matters to the person, and that it was spoken of in this turn."""
    async with acting(resources, agent, changes=True) as at:
        where, refused = writable(at)
        if where is None:
            return refused
        place = places.normalize_place(given)
        if reason := places.rejection_reason(place):
            return Managed("refused", reason)
        await lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
        async with operation(where.conn, actor=where.actor, reason="place") as op:
            new = await _keep(where, place)
        return Managed("done", None if new else "known", (), op.id, place.place_id)


async def _keep(where: Where, place: PlaceInput) -> bool:
    """Write the place and this turn's mention; whether the place is new."""
    row, new = await agents.keep_place(
        where.conn,
        user_id=where.user_id,
        profile_id=where.profile_id,
        place_id=place.place_id,
        name=place.place_name,
        notes=place.notes,
        source=where.source,
        now=where.now,
    )
    if where.conversation_id is not None:
        await agents.note_mention(
            where.conn,
            user_id=where.user_id,
            profile_id=where.profile_id,
            place=row,
            conversation_id=where.conversation_id,
            message_id=where.message_id,
            now=where.now,
        )
    return new
