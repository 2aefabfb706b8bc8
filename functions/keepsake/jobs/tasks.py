"""The tasks of a worker: each validates its arguments and calls a use case. ``run-due-jobs`` requeues what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from keepsake.errors import NotFound, RetryLater
from keepsake.infra.dependencies import Resources, get_resources
from keepsake.infra.job_queue import EMBED_JOB, task
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.jobs.payloads import (
    ContextPayload,
    ExtractPayload,
    SessionPayload,
    StatePayload,
    SummarizeConversationPayload,
    SummarizePayload,
)
from keepsake.store.turns import DueTurn
from keepsake.usecases.chat_send import EXTRACT_JOB
from keepsake.usecases.embed_memories import run_embed_job
from keepsake.usecases.extract_user_memory import extract_user_memory as extract
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB
from keepsake.usecases.sessions.refresh_state import refresh_session_state as refresh
from keepsake.usecases.sessions.summarize_session import SUMMARIZE_SESSION_JOB
from keepsake.usecases.sessions.summarize_session import summarize_session as summarize_one
from keepsake.usecases.summaries.refresh_context import REFRESH_CONTEXT_JOB
from keepsake.usecases.summaries.refresh_context import refresh_context as merge
from keepsake.usecases.summaries.summarize_conversation import SUMMARIZE_CONVERSATION_JOB
from keepsake.usecases.summaries.summarize_conversation import summarize_conversation as summarize_chat
from keepsake.usecases.summaries.write_due_summaries import SUMMARIZE_JOB
from keepsake.usecases.summaries.write_due_summaries import summarize_profile as summarize
from keepsake.usecases.turns.extract_batch import extract_batch, group_by_order, max_batch


@contextmanager
def _job(name: str) -> Iterator[None]:
    """Log under a job's name, and end it without an error: the row that it is about is due again by itself."""
    with bind_log_context(request_id=request_id(None), job=name):
        try:
            yield
        except NotFound:
            log.info("what a job is about is gone")
        except RetryLater as refusal:
            log.info("a job was put off", code=refusal.code)
        except Exception as error:  # noqa: BLE001 (the row has what is needed to try again; the queue keeps nothing)
            log.error("a job failed", exc_info=error)


@task(EXTRACT_JOB)
async def extract_user_memory(**arguments: str) -> None:
    """Extract memories from one message, and from others that wait in the queue."""
    resources = get_resources()
    gathered: list[dict[str, str]] = []
    with _job(EXTRACT_JOB):
        gathered = await resources.queue.gather(EXTRACT_JOB, arguments, max_batch(resources))
    due = [DueTurn(**ExtractPayload.model_validate(each).model_dump()) for each in gathered]
    for group in group_by_order(due):
        await _extract_group(resources, group)


async def _extract_group(resources: Resources, group: Sequence[DueTurn]) -> None:
    """Extract turns together where there are several; what is left over, one by one."""
    left = group
    if len(group) > 1:
        left = []
        with _job(EXTRACT_JOB):
            left = await extract_batch(resources, group)
    for turn in left:
        with _job(EXTRACT_JOB):
            await extract(resources, conversation_id=turn.conversation_id, message_id=turn.message_id)


@task(EMBED_JOB)
async def embed_memories() -> None:
    """Embed memories that have no vector."""
    with _job(EMBED_JOB):
        await run_embed_job(get_resources())


@task(SUMMARIZE_JOB)
async def summarize_profile(**arguments: str) -> None:
    """Write the due summaries of one level for a profile."""
    payload = SummarizePayload.model_validate(arguments)
    with _job(SUMMARIZE_JOB):
        await summarize(get_resources(), **payload.model_dump())


@task(REFRESH_CONTEXT_JOB)
async def refresh_context(**arguments: str) -> None:
    """Write the merged context of a profile."""
    payload = ContextPayload.model_validate(arguments)
    with _job(REFRESH_CONTEXT_JOB):
        await merge(get_resources(), **payload.model_dump())


@task(SUMMARIZE_SESSION_JOB)
async def summarize_session(**arguments: str) -> None:
    """Close and summarize a session that is over."""
    payload = SessionPayload.model_validate(arguments)
    with _job(SUMMARIZE_SESSION_JOB):
        await summarize_one(get_resources(), **payload.model_dump())


@task(REFRESH_STATE_JOB)
async def refresh_session_state(**arguments: str) -> None:
    """Write the rolling summary of a persona again."""
    payload = StatePayload.model_validate(arguments)
    with _job(REFRESH_STATE_JOB):
        await refresh(get_resources(), **payload.model_dump())


@task(SUMMARIZE_CONVERSATION_JOB)
async def summarize_conversation(**arguments: str) -> None:
    """Write the summary of a conversation that is due."""
    payload = SummarizeConversationPayload.model_validate(arguments)
    resources = get_resources()
    with _job(SUMMARIZE_CONVERSATION_JOB):
        await summarize_chat(
            resources, conversation_id=payload.conversation_id, min_turns=resources.settings.summary_interval
        )
