"""The memory document for an agent: what is known of the person, within its limit."""

from __future__ import annotations

from keepsake.domain.agent.document import Document, build_document
from keepsake.domain.memory import MemoryType
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.infra.database import Profile
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import agents
from keepsake.store.locks import lock_profile
from keepsake.store.operations import operation
from keepsake.usecases.agent.result import Managed
from keepsake.usecases.agent.session import Agent, acting
from keepsake.usecases.commands.where import Where


async def get_memory(resources: Resources, agent: Agent) -> Managed:
    """The memory document; of what the agent itself had added, what finds no room in it any more is archived."""
    async with acting(resources, agent, changes=False) as at:
        if at.where is None:
            return Managed("unavailable", at.reason, document=build_document((), (), resources.count_tokens))
        where = at.where
        known = await agents.facts(
            where.conn,
            user_id=where.user_id,
            profile_id=where.profile_id,
            persona_id=where.persona_id,
            types=where.allowed_types,
            now=where.now,
        )
        spots = await agents.places(where.conn, user_id=where.user_id, profile_id=where.profile_id)
        if at.shared:  # others read the answer: neither feelings nor health nor money
            known = [one for one in known if not _is_private(one)]
        changed = [*(one.changed_at for one in known), *(at for _, at in spots)]
        document = build_document(
            [one.fact for one in known],
            [place for place, _ in spots],
            resources.count_tokens,
            last_updated=max(changed, default=None),
        )
    if document.evicted:
        await _let_go(resources, where, document)
    return Managed("done", None, document=document)


async def _let_go(resources: Resources, where: Where, document: Document) -> None:
    """Archive what found no room, in a transaction of its own: the one that reads takes no lock."""
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_profile(conn, user_id=where.user_id, profile_id=where.profile_id)
        async with operation(conn, actor=where.actor, reason="no room in the memory document"):
            archived = await agents.archive_evicted(conn, user_id=where.user_id, ids=document.evicted, now=where.now)
    log.warning(
        "a memory document was over its limit",
        evicted=list(map(str, document.evicted)),
        archived=list(map(str, archived)),
    )


def _is_private(known: agents.Known) -> bool:
    return known.type is MemoryType.EMOTION or known.subtype == "feeling" or is_sensitive_topic(known.fact.content)
