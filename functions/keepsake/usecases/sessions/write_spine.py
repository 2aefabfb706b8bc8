"""Writes the next version of the spine: by a model where there is one, else by rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from keepsake.domain.sessions.outdated import OUTDATED, OutdatedMemory, find_outdated
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.sessions.spine import SPINE_EVERY, write_spine
from keepsake.domain.sessions.spine_model_form import build_spine_prompt, spine_of
from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache, outdated, persona_rolling_summaries, spine
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.persona_rolling_summaries import PersonaState
from keepsake.store.summaries import Authorship
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.ask_model import ask_about
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, content_for


async def ask_about_spine(
    resources: Resources, state: PersonaState, calendar: Calendar
) -> SummaryAttempt[SessionSources] | None:
    """Ask the model for the spine, where a version is due, or where one that the rules wrote waits for the model's.

    Whether one waits is read after what is due: another job may write the rules form and its wait in between, and that
    wait must be seen with the form, or it would end here.
    """
    async with resources.database.as_service() as conn:
        due = await spine.read_due(conn, state.profile)
        wait = await persona_rolling_summaries.model_wait(conn, user_id=state.user_id, state_id=state.id)
        is_waiting = wait.waiting_since is not None and due.generator == "rules"
        if due.is_forgotten or (due.since < SPINE_EVERY and not is_waiting):
            return None
        sources = await spine.read_sources(conn, state.profile, calendar.history)
    if not any(write_spine(sources).values()) and not sources.notes:
        return None
    prompt = build_spine_prompt(sources)
    return await ask_about(resources, "spine", prompt, sources, user_id=state.user_id, wait=wait)


async def lock_outdated(
    conn: Connection, attempt: SummaryAttempt[SessionSources] | None, *, user_id: UUID, state_id: UUID
) -> list[OutdatedMemory]:
    """The memories that the model says are outdated, locked against merges; before the state, in the lock order."""
    if attempt is None or attempt.content is None or not (found := find_outdated(attempt.content, attempt.sources)):
        return []
    state = await persona_rolling_summaries.find(conn, user_id=user_id, state_id=state_id)
    if state is None:
        return []
    await lock_profile(conn, **state.profile.params)
    await lock_memories(conn, user_id=user_id, ids=[one.id for one in found], even_one=True)
    return found


async def write_spine_of(
    conn: Connection,
    state: PersonaState,
    calendar: Calendar,
    answered: SummaryAttempt[SessionSources] | None,
    now: datetime,
    *,
    doubted: Sequence[OutdatedMemory] = (),
) -> bool:
    """Write the next version, where enough was said since the newest, or the model wrote what the rules had written.

    With the model's version, what it says is outdated is doubted.

    False where its sources have changed since the model was asked: then it is to be asked again.
    """
    due = await spine.read_due(conn, state.profile)
    if due.is_forgotten or (due.since < SPINE_EVERY and (answered is None or due.generator != "rules")):
        return True
    sources = await spine.read_sources(conn, state.profile, calendar.history)
    content = content_for(answered, sources)
    by_model = spine_of(content) if content is not None else None
    is_current = answered is None or answered.sources == sources
    if due.since < SPINE_EVERY and by_model is None:
        return is_current
    written = by_model or write_spine(sources)
    authorship = Authorship("llm", VERSION) if by_model else Authorship("rules")
    if any(written.values()):
        basis = {name: cited for name, cited in content.items() if name != OUTDATED} if content and by_model else None
        await spine.write(conn, state.profile, written, basis, authorship, message_count=due.total, now=now)
    if by_model and answered is not None and answered.slot is not None:
        why = f"model {answered.slot.model}, prompt {VERSION}"
        if any([await outdated.doubt(conn, state.profile, one, why=why, now=now) for one in doubted]):
            await merged_context_cache.mark(conn, state.profile, now=now)
    return is_current
