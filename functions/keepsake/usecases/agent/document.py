"""The memory document of an agent: the facts and places of a person, within a limit of tokens."""

from __future__ import annotations

from keepsake.domain.agent.document import Document, build_document
from keepsake.domain.agent.validate_place import may_be_shown
from keepsake.domain.memory import MemoryType
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.infra.database import Profile
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool
from keepsake.store.locks import lock_profile
from keepsake.store.operations import MemoryWriter, operation
from keepsake.usecases.agent.agent_session import AgentCall, ToolResult, agent_session


async def get_memory(resources: Resources, call: AgentCall) -> ToolResult:
    """The memory document; agent memories that do not fit any more are archived."""
    async with agent_session(resources, call, changes=False) as session:
        if session.writer is None:
            return ToolResult("unavailable", session.reason, document=build_document((), (), resources.count_tokens))
        writer = session.writer
        facts = await agent_tool.facts(writer)
        places = [
            (place, changed_at)
            for place, changed_at in await agent_tool.places(writer)
            if may_be_shown(place.place_name, place.notes)
        ]
        if session.shared:  # others read the answer: no feelings, no sensitive topics, no places
            facts, places = [row for row in facts if not _is_private(row)], []
        changed = [*(row.changed_at for row in facts), *(changed_at for _, changed_at in places)]
        document = build_document(
            [row.fact for row in facts],
            [place for place, _ in places],
            resources.count_tokens,
            last_updated=max(changed, default=None),
        )
    if document.evicted:
        await _archive_evicted(resources, writer, document)
    return ToolResult("done", None, document=document)


async def _archive_evicted(resources: Resources, writer: MemoryWriter, document: Document) -> None:
    """Archive what does not fit, in a transaction of its own, because the reading one takes no lock."""
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_profile(conn, **writer.profile.params)
        async with operation(conn, actor=writer.actor, reason="no room in the memory document"):
            archived = await agent_tool.archive_evicted(
                conn, user_id=writer.user_id, ids=document.evicted, now=writer.now
            )
    log.warning(
        "a memory document was over its limit",
        user_id=str(writer.user_id),
        evicted=list(map(str, document.evicted)),
        archived=list(map(str, archived)),
    )


def _is_private(row: agent_tool.FactRow) -> bool:
    return row.type is MemoryType.EMOTION or row.subtype == "feeling" or is_sensitive_topic(row.fact.content)
