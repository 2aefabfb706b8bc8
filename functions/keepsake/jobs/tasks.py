"""The tasks of a worker: each validates its arguments and calls a use case. ``run-due-jobs`` requeues what failed."""

from __future__ import annotations

from keepsake.errors import NotFound, RetryLater
from keepsake.infra.job_queue import EMBED_JOB, task
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.infra.resources import get_resources
from keepsake.jobs.payloads import (
    ExtractPayload,
    SessionPayload,
    StatePayload,
    SummarizeConversationPayload,
    SummarizePayload,
)
from keepsake.usecases.chat_send import EXTRACT_JOB
from keepsake.usecases.embed_memories import run_embed_job
from keepsake.usecases.extract_user_memory import extract_user_memory as extract
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB
from keepsake.usecases.sessions.refresh_state import refresh_session_state as refresh
from keepsake.usecases.sessions.summarize_session import SUMMARIZE_SESSION_JOB
from keepsake.usecases.sessions.summarize_session import summarize_session as summarize_one
from keepsake.usecases.summaries.summarize_conversation import SUMMARIZE_CONVERSATION_JOB
from keepsake.usecases.summaries.summarize_conversation import summarize_conversation as summarize_chat
from keepsake.usecases.summaries.summarize_profile import SUMMARIZE_JOB
from keepsake.usecases.summaries.summarize_profile import summarize_profile as summarize


@task(EXTRACT_JOB)
async def extract_user_memory(**arguments: str) -> None:
    """Extract memories from one message."""
    payload = ExtractPayload.model_validate(arguments)
    with bind_log_context(request_id=request_id(None), job=EXTRACT_JOB):
        try:
            await extract(get_resources(), conversation_id=payload.conversation_id, message_id=payload.message_id)
        except NotFound:
            log.info("a turn was gone before it was looked at")
        except RetryLater as refusal:
            log.info("a turn was put off", code=refusal.code)
        except Exception as error:  # noqa: BLE001 (the row has what is needed to try again; the queue keeps nothing)
            log.error("a job failed", exc_info=error)


@task(EMBED_JOB)
async def embed_memories() -> None:
    """Embed memories that have no vector."""
    with bind_log_context(request_id=request_id(None), job=EMBED_JOB):
        try:
            await run_embed_job(get_resources())
        except Exception as error:  # noqa: BLE001 (what was claimed is due again by itself)
            log.error("a job failed", exc_info=error)


@task(SUMMARIZE_JOB)
async def summarize_profile(**arguments: str) -> None:
    """Write the due summaries of one level for a profile."""
    payload = SummarizePayload.model_validate(arguments)
    with bind_log_context(request_id=request_id(None), job=SUMMARIZE_JOB):
        try:
            await summarize(get_resources(), **payload.model_dump())
        except Exception as error:  # noqa: BLE001 (the period still waits, and is due again by itself)
            log.error("a job failed", exc_info=error)


@task(SUMMARIZE_SESSION_JOB)
async def summarize_session(**arguments: str) -> None:
    """Close and summarize a session that is over."""
    payload = SessionPayload.model_validate(arguments)
    with bind_log_context(request_id=request_id(None), job=SUMMARIZE_SESSION_JOB):
        try:
            await summarize_one(get_resources(), **payload.model_dump())
        except Exception as error:  # noqa: BLE001 (it is due again by itself)
            log.error("a job failed", exc_info=error)


@task(REFRESH_STATE_JOB)
async def refresh_session_state(**arguments: str) -> None:
    """Write the rolling summary of a persona again."""
    payload = StatePayload.model_validate(arguments)
    with bind_log_context(request_id=request_id(None), job=REFRESH_STATE_JOB):
        try:
            await refresh(get_resources(), **payload.model_dump())
        except Exception as error:  # noqa: BLE001 (it is due again by itself)
            log.error("a job failed", exc_info=error)


@task(SUMMARIZE_CONVERSATION_JOB)
async def summarize_conversation(**arguments: str) -> None:
    """Write the summary of a conversation that is due."""
    payload = SummarizeConversationPayload.model_validate(arguments)
    resources = get_resources()
    with bind_log_context(request_id=request_id(None), job=SUMMARIZE_CONVERSATION_JOB):
        try:
            await summarize_chat(
                resources, conversation_id=payload.conversation_id, min_turns=resources.settings.summary_interval
            )
        except NotFound:
            log.info("a conversation was gone before it was summarized")
        except Exception as error:  # noqa: BLE001 (the conversation still waits, and is due again by itself)
            log.error("a job failed", exc_info=error)
